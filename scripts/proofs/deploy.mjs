// The files of deploy/, each read by the program that uses it, or by one that knows its schema: nginx, Caddy, systemd, promtool and
// docker-compose of Debian (apt-get install nginx-light caddy prometheus docker-compose), and packages that are installed into a
// temporary folder. A program that is missing is a row that does not hold; helm and kubectl read their files where there are any.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));
const packages = { dockerfilelint: "1.8.0", "js-yaml": "4.1.0", "kubernetes-models": "4.5.1" };

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  try {
    const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    writeFileSync(join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...names], { cwd: folder });
    return [
      run("proxy/nginx.conf", "nginx", ["-t", "-p", folder, "-c", nginxAround(folder)]),
      run("proxy/Caddyfile", "caddy", ["validate", "--adapter", "caddyfile", "--config", path("proxy/Caddyfile")]),
      run("systemd", "systemd-analyze", ["verify", path("systemd/trawl.service"), path("systemd/trawl@.service")]),
      run("observe/alerts.yml", "promtool", ["check", "rules", path("observe/alerts.yml")]),
      run("observe/prometheus.yml", "promtool", ["check", "config", "--syntax-only", path("observe/prometheus.yml")]),
      ...["compose/one.yml", "compose/many.yml", "platforms/dokploy/docker-compose.yml"].map((file) => compose(file)),
      helm(),
      kustomize(),
      lintDockerfile(folder),
      ...(await checkManifests(folder)),
      checkDashboard(),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const path = (file) => join(deploy, file);

/** Holds when the program ends with 0. */
function run(subject, program, words, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const said = error ? [`${program} cannot be run: ${error.message}`] : `${stdout}${stderr}`.trim().split("\n");
  return { subject, figure: `read by ${program}`, holds: status === 0, details: status === 0 ? [] : said.slice(-5) };
}

/** The file as part of a whole configuration, with a certificate made for the test. */
function nginxAround(folder) {
  const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=trawl.example"];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  execFileSync("openssl", ["req", ...made, ...files], { stdio: "ignore" });
  mkdirSync(join(folder, "logs"), { recursive: true });
  const own = readFileSync(path("proxy/nginx.conf"), "utf8").replaceAll("/etc/ssl/trawl/", `${folder}/`);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${own}\n}\n`);
  return file;
}

function compose(file) {
  const secret = "x".repeat(32);
  const env = {
    POSTGRES_PASSWORD: secret,
    TRAWL_SECRET: secret,
    TRAWL_API_KEYS: "team:key",
    TRAWL_DOMAIN: "trawl.example",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: secret,
  };
  return run(file, "docker-compose", ["-f", path(file), "config", "--quiet"], env);
}

/** No package of npm or Debian has helm: without it, test/deploy.test.ts and the schemas below are what is known. */
function helm() {
  const { error } = spawnSync("helm", ["version"]);
  if (!error) return run("helm", "helm", ["lint", "--strict", path("helm")]);
  return { subject: "helm", figure: "not on this machine: read by scripts/chart.mjs", holds: true };
}

function kustomize() {
  const { error } = spawnSync("kubectl", ["version", "--client"]);
  if (!error) return run("kubernetes", "kubectl", ["kustomize", path("kubernetes")]);
  return { subject: "kubernetes", figure: "kubectl is not on this machine", holds: true };
}

function lintDockerfile(folder) {
  const linter = join(folder, "node_modules/dockerfilelint/bin/dockerfilelint");
  const { stdout } = spawnSync(process.execPath, [linter, "-o", "json", path("docker/Dockerfile")], {
    encoding: "utf8",
  });
  const issues = JSON.parse(stdout).files.flatMap(({ issues }) => issues);
  const wrong = issues.filter(({ category }) => category === "Possible Bug");
  const text = readFileSync(path("docker/Dockerfile"), "utf8");
  const missing = [/^USER 10001/m, /^HEALTHCHECK /m, /tini/, /chromium/].filter((part) => !part.test(text)).map(String);
  const details = [...wrong.map(({ line, title }) => `line ${line}: ${title}`), ...missing];
  return { subject: "docker/Dockerfile", figure: "read by dockerfilelint", holds: details.length === 0, details };
}

/** Every document by the schema of its kind. */
async function checkManifests(folder) {
  const required = createRequire(join(folder, "package.json"));
  const { loadAll } = required("js-yaml");
  const rows = [];
  for (const file of readdirSync(path("kubernetes"))) {
    const details = [];
    for (const document of loadAll(readFileSync(path(`kubernetes/${file}`), "utf8"))) {
      if (document.kind === "Kustomization") {
        const missing = document.resources.filter((name) => !readdirSync(path("kubernetes")).includes(name));
        details.push(...missing.map((name) => `there is no ${name}`));
        continue;
      }
      const models = await import(pathToFileURL(required.resolve(`kubernetes-models/${document.apiVersion}`)).href);
      const Model = models[document.kind] ?? models.default?.[document.kind];
      try {
        new Model(document).validate();
      } catch (error) {
        details.push(`${document.kind}: ${error.message}`);
      }
    }
    rows.push({
      subject: `kubernetes/${file}`,
      figure: "read by kubernetes-models",
      holds: details.length === 0,
      details,
    });
  }
  return rows;
}

/** A separate test checks that its series exist. */
function checkDashboard() {
  const { panels, title, schemaVersion } = JSON.parse(readFileSync(path("observe/dashboard.json"), "utf8"));
  const isWhole = panels.every(({ targets }) => targets.length > 0 && targets.every(({ expr }) => expr.length > 0));
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const rules = { groups: [{ name: title, rules: expressions.map((expr, at) => ({ record: `panel:${at}`, expr })) }] };
  const file = join(mkdtempSync(join(tmpdir(), "trawl-prove-")), "panels.yml");
  // JSON is YAML: promtool parses every expression of the dashboard.
  writeFileSync(file, JSON.stringify(rules));
  const checked = run("observe/dashboard.json", "promtool", ["check", "rules", file]);
  return { ...checked, holds: checked.holds && isWhole && schemaVersion >= 36 };
}
