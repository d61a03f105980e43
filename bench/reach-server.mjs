// Every labelled answer of a real server, asked for through a server of ours with all its rungs: what `reach` scores is the verdict
// on one answer; this is what a caller is told when the ladder has ended, in the form of the contract.
import { createSocket } from "node:dgram";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "./measure.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const labelled = new URL("../../shared/reach/", import.meta.url);
const concurrency = 6;

export async function measure() {
  if (!existsSync(labelled)) {
    console.log("skipped: the labelled answers are not at ../shared/reach");
    return null;
  }
  const { run, bars } = await import(new URL("score.mjs", labelled).href);
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const dns = await freePort();
  const server = await startProgram([cli, "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: folder,
      DNS_SERVER: `127.0.0.1:${dns}`,
      ALLOWED_PRIVATE_HOSTS: "127.0.0.0/8",
      RATE_LIMIT_SCRAPE: "0",
      OPEN_SEARCH: "0",
      LOG_LEVEL: "warn",
    },
    until: /API page\s+(http:\S+)\/docs[\s\S]*API key\s+(\S+)/,
  });
  try {
    const [, url, key] = server.match;
    const asked = { data: fileURLToPath(new URL("dev", labelled)), server: url, key, dns };
    const { figures } = await run({ ...asked, concurrency, progress: tell });
    for (const { id, label, verdict } of figures.wrong) console.error(`${label} as ${verdict}: ${id}`);
    for (const { id, problems } of figures.problems) console.error(`not in the form: ${id}: ${problems.join("; ")}`);
    return rowsOf(figures, bars);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(figures, bars) {
  const row = (what, value, bar, more) => ({ what, value: Math.round(value * 1000) / 1000, unit: "", bar, ...more });
  const atLeast = { isMinimum: true };
  const { cases, right, medianMs } = figures;
  const detail = `${cases} answers, ${right} told right; half of them within ${medianMs} ms`;
  return [
    row("False alarms per 1,000 pages, over a server", figures.falseAlarms, bars.falseAlarms, { detail }),
    row("Other errors per 1,000 answers, over a server", figures.errors, bars.errors),
    row("Recall of blocked and challenge, over a server", figures.refusedRecall, bars.refusedRecall, atLeast),
    row("Macro F1 of twelve classes, over a server", figures.macroF1, bars.macroF1, atLeast),
    row("Responses that are not in the form of the contract", figures.unsaid, bars.unsaid),
  ];
}

function tell(done, all) {
  if (done % 100 === 0) console.error(`${done} of ${all}`);
}

/** For UDP. */
async function freePort() {
  const socket = createSocket("udp4");
  await new Promise((bound) => socket.bind(0, "127.0.0.1", bound));
  const { port } = socket.address();
  await new Promise((closed) => socket.close(closed));
  return port;
}
