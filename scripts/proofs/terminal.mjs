// The command on a real terminal: `script` (of util-linux) opens a pseudo terminal for it.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../vitest-report.mjs";

const cli = join(root, "dist/cli.js");
const clear = "\r\u001b[K";

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const site = await startSite();
  const rows = [];
  const step = async (subject, work) => {
    try {
      rows.push({ subject, holds: true, figure: (await work()) ?? "" });
    } catch (error) {
      rows.push({ subject, holds: false, figure: "", details: [String(error.stack || error)] });
    }
  };
  const env = { PATH: process.env.PATH, TERM: "xterm", OPEN_SEARCH: "0", ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
  const start = (args, more = {}) => onTerminal(args, { ...env, DATA_DIR: join(folder, "data"), ...more });
  const must = (holds, found) => {
    if (!holds) throw new Error(JSON.stringify(found));
  };
  try {
    await step("progress is one line that is overwritten", async () => {
      const { code, text } = await start(["crawl", `${site.url}/quick`, "-o", `${join(folder, "quick")}/`]).ended;
      const lines = text.split(clear);
      must(code === 0 && lines.length > 2, text);
      must(/^\d+ of \d+ pages/.test(lines[1]) && /^completed: 4 of 4 pages\r\n$/.test(lines.at(-1)), lines);
      return `${lines.length - 1} times`;
    });
    for (const more of [{}, { NO_COLOR: "1" }])
      await step(`no colours${more.NO_COLOR ? " with NO_COLOR" : ""}`, async () => {
        const { text } = await start(["crawl", `${site.url}/quick`, "--jsonl"], more).ended;
        const help = await start(["--help"], more).ended;
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        must(!/\u001b\[[\d;]*m/.test(text + help.text), text);
      });
    await step("escape sequences of a page do not reach it", async () => {
      const { text } = await start(["scrape", `${site.url}/steering`]).ended;
      must(text.includes("Steering") && !text.includes("\u001b"), text);
    });
    await step("Ctrl-C cancels, keeps and names what is done", async () => {
      const pages = join(folder, "stuck");
      const crawl = start(["crawl", `${site.url}/stuck`, "-o", `${pages}/`]);
      await crawl.until(/1 of \d pages/);
      crawl.type("\u0003");
      const { code, text } = await crawl.ended;
      must(code === 130 && /Cancelled job [\w-]{36}: 1 pages? w\w+ read/.test(text), { code, text });
      return `${readdirSync(pages).filter((name) => name.endsWith(".md")).length} page kept`;
    });
    return rows;
  } finally {
    site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function onTerminal(args, env) {
  const command = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], { env });
  let text = "";
  const waiting = [];
  child.stdout.on("data", (more) => {
    text += more;
    for (const { pattern, found } of waiting) if (pattern.test(text)) found();
  });
  return {
    type: (keys) => child.stdin.write(keys),
    until: (pattern) => new Promise((found) => waiting.push({ pattern, found })),
    ended: new Promise((done, failed) => {
      child.once("error", failed);
      child.once("close", (code) => done({ code, text }));
    }),
  };
}

async function startSite() {
  const links = [1, 2, 3].map((number) => `<a href="/quick/${number}">${number}</a>`).join(" ");
  const server = createServer((request, response) => {
    if (/robots|sitemap/.test(request.url)) return response.writeHead(404).end();
    // The answer to this one does not come.
    if (request.url === "/stuck/1") return undefined;
    response.writeHead(200, { "content-type": "text/html" });
    const text =
      request.url === "/steering" ? "<h1>Steering</h1><p>\u001b[31mred\u001b[2J</p>" : `<h1>${request.url}</h1>`;
    const more = request.url === "/quick" ? links : request.url === "/stuck" ? '<a href="/stuck/1">1</a>' : "";
    return response.end(`<title>${request.url}</title><main>${text}<p>Some words.</p>${more}</main>`);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
