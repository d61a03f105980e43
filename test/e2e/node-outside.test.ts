// A server whose Node lies in a home folder that only its owner can enter, as nvm and fnm put it there.
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lacksChromium } from "../support/browser.ts";
import { startSite } from "../support/fixture-site.ts";
import { runCli, startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const key = "fc-00000000000000000000000000000001";

function privateNode(): string {
  const home = join(temporaryFolder(), "home");
  mkdirSync(join(home, "bin"), { recursive: true });
  const node = join(home, "bin/node");
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  chmodSync(home, 0o700);
  return node;
}

describe.skipIf(lacksChromium)("a server whose Node is in a private home folder", () => {
  it("isolates its browser, opens sessions and sandboxes programs", async () => {
    const site = await startSite({
      "/": "<title>Empty</title><div id=root></div><script>root.textContent = 'Drawn by a script'</script>",
    });
    onTestFinished(() => site.close());
    // Its own folder: other servers may make copies of their Node meanwhile.
    const folder = temporaryFolder();
    chmodSync(folder, 0o1777);
    const copies = () => readdirSync(folder).filter((name) => name.startsWith("trawl-node-"));
    const env = {
      TMPDIR: folder,
      HOST: "127.0.0.1",
      DATA_DIR: join(temporaryFolder(), "data"),
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      TRAWL_API_KEYS: `acme:${key}:0`,
    };
    const server = await startServer(env, undefined, privateNode());
    const call = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(server.url + path, init)).json();
    };

    const { data } = await call("/v2/scrape", { url: site.url, waitFor: 1 });
    expect(data.markdown).toContain("Drawn by a script");
    const { browser } = await call("/health/readiness");
    expect(browser).toMatchObject({ available: true, isolated: true, sessions: true });

    const session = await call("/v2/browser", {});
    expect(session).toMatchObject({ success: true });
    const code = `await page.goto(${JSON.stringify(site.url)}); await page.title()`;
    const done = await call(`/v2/browser/${session.id}/execute`, { code });
    expect(done).toMatchObject({ success: true, killed: false, result: "Empty" });

    expect(copies()).not.toEqual([]);
    server.kill("SIGTERM");
    await server.finished;
    expect(copies()).toEqual([]);
  });

  it("says so in trawl doctor", async () => {
    const { stdout } = await runCli(["doctor"], { DATA_DIR: temporaryFolder() }, privateNode());
    expect(stdout).toMatch(/^ok +Browser +Chromium will run in its sandbox, in its own namespaces\.$/m);
  });
});
