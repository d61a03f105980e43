// Builds the image of deploy/docker with buildah on a base that debootstrap makes (Debian, with this Node and npm), and starts it:
// as root, with the Debian packages buildah and debootstrap, in about ten minutes. No registry of images is asked.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const suite = "bookworm";
const base = "localhost/trawl-base";
const image = "localhost/trawl";
const serverMs = 60_000;

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const storage = ["--storage-driver", "overlay", "--root", join(folder, "root"), "--runroot", join(folder, "run")];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] };
  const buildah = (...words) => execFileSync("buildah", [...storage, ...words], options).trim();
  try {
    makeBase(join(folder, "base"), buildah);
    const mount = ["-v", `${certificates}:${certificates}:ro`];
    const how = ["--isolation", "chroot", "--network", "host", "--build-arg", `BASE=${base}`, ...mount];
    buildah("bud", ...how, "-f", "deploy/docker/Dockerfile", "-t", image, ".");
    const { config } = JSON.parse(buildah("inspect", "--type", "image", image)).OCIv1;
    const container = buildah("from", image);
    const inside = ["run", "--isolation", "chroot", "--user", "10001:10001", container, "--", "sh", "-c"];
    const chromium = buildah(...inside, "chromium --version 2>/dev/null");
    const started = spawnSync("buildah", [...storage, ...inside, startAndAsk], {
      encoding: "utf8",
      timeout: 2 * serverMs,
    });
    const isHealthy = started.stdout.includes("healthy as 10001");
    return [
      { subject: "built", holds: true, figure: `${process.arch}, Debian ${suite}, Node ${process.versions.node}` },
      { subject: "user", holds: config.User === "10001:10001", figure: config.User },
      { subject: "first process", holds: config.Entrypoint[0].endsWith("/tini"), figure: config.Entrypoint.join(" ") },
      { subject: "Chromium", holds: /^Chromium \d+/.test(chromium), figure: chromium.split(" ").slice(0, 2).join(" ") },
      {
        subject: "starts and is healthy",
        holds: isHealthy,
        figure: isHealthy ? "as 10001" : "not healthy",
        details: isHealthy ? [] : [started.stderr.slice(-500)],
      },
    ];
  } finally {
    // What buildah keeps has its own mounts and owners.
    spawnSync("buildah", [...storage, "rm", "--all"]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server, asked as the health check of the image asks it. */
const startAndAsk = `
  PORT=3999 HOST=127.0.0.1 OPEN_SEARCH=0 /usr/bin/tini -s -- node /app/dist/cli.js serve >/dev/null 2>&1 & server=$!
  for second in $(seq ${serverMs / 1000}); do
    sleep 1
    node -e 'fetch("http://127.0.0.1:3999/health/liveness").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' || continue
    echo "healthy as $(id -u)"
    break
  done
  kill $server; wait $server; exit 0
`;

function makeBase(folder, buildah) {
  const words = ["--variant=minbase", "--include=ca-certificates", suite, folder, "http://deb.debian.org/debian"];
  execFileSync("debootstrap", words, { stdio: "ignore" });
  const npm = dirname(dirname(realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim())));
  cpSync(process.execPath, join(folder, "usr/bin/node"));
  mkdirSync(join(folder, "usr/lib/node_modules"), { recursive: true });
  cpSync(npm, join(folder, "usr/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(folder, "usr/bin/npm"));
  const container = buildah("from", "scratch");
  buildah("copy", "-q", container, folder, "/");
  const environment = ["NODE_EXTRA_CA_CERTS", "npm_config_cafile"].flatMap((name) => [
    "--env",
    `${name}=${certificates}`,
  ]);
  buildah("config", ...environment, container);
  buildah("commit", "-q", container, base);
  buildah("rm", container);
}
