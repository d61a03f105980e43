// Faults of the server, told to the channels of the operator's team: each once, and once more when it is over.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../src/app.ts";
import { createLog, hourMs } from "../../src/base/index.ts";
import { loadConfig } from "../../src/config.ts";
import { createMovableClock, startApp } from "../support/app.ts";
import { startChannelServer } from "../support/channel-server.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";
import { startS3Store } from "../support/s3-store.ts";
import { makeCertificate, makeSigned } from "../support/site-certificates.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function open(env: Record<string, string>) {
  const services = await startChannelServer();
  onTestFinished(() => services.close());
  const app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...env });
  onTestFinished(() => app.stop());
  const notify = [{ ...services.entries.gotify, events: ["health"] }];
  expect((await app.call("PUT", "/v2/team/notify", { body: { notify } })).status).toBe(200);
  const other = { notify: [services.entries.slack] };
  expect((await app.call("PUT", "/v2/team/notify", { body: other, key: app.otherKey })).status).toBe(200);
  return {
    app,
    notify,
    look: () => app.health.look(new AbortController().signal),
    titles: () => services.sent.map(({ body }) => body.title).toSorted(),
    texts: () => services.sent.map(({ body }) => body.message).join("\n"),
  };
}

/** An origin that only says who it is. */
async function serveTls(certificate: ReturnType<typeof makeCertificate>): Promise<string> {
  const tls = createServer(certificate, (_request, response) => void response.end("ok"));
  await new Promise<void>((done) => tls.listen(0, "127.0.0.1", done));
  onTestFinished(() => void tls.close());
  return `https://localhost:${(tls.address() as AddressInfo).port}`;
}

it("tells of disk, browser, search and certificate once, when seen twice, and once when it is over", async () => {
  const folder = join(temporaryFolder(), "data");
  const { app, look, titles, texts } = await open({
    DATA_DIR: folder,
    CHROMIUM_PATH: "/nowhere/chromium",
    OWN_INDEX: "0",
    SEARXNG_ENDPOINT: "http://127.0.0.1:1",
    PUBLIC_URL: await serveTls(makeCertificate("localhost")),
  });
  expect((await app.call("POST", "/v2/search", { body: { query: "otters" } })).status).toBe(503);
  rmSync(folder, { recursive: true, force: true });
  // No folder can be made where a file is.
  writeFileSync(folder, "");
  await look();
  await look();
  const faults = ["Browser", "Certificate", "Disk", "Search"].map((subject) => `${subject} of the server has a fault`);
  await expect.poll(titles).toEqual(faults);
  expect(texts()).toContain("CHROMIUM\\_PATH does not name a program that can run");
  await look();
  rmSync(folder);
  await look();
  await expect.poll(titles).toEqual([...faults, "Disk of the server works again"].toSorted());
  expect(texts()).toContain("It had this fault since 20");
});

it("tells of backups, blobs and search sources that fail, and of certificates before they expire", async () => {
  const services = await startChannelServer();
  onTestFinished(() => services.close());
  const s3 = await startS3Store();
  onTestFinished(() => s3.close());
  // Too large for a row, compressed as well.
  const site = await openSite({ "/": `<main><p>${randomBytes(20_000).toString("base64")}</p></main>` });
  const folder = temporaryFolder();
  const { authority, signed } = makeSigned(["localhost"]);
  writeFileSync(join(folder, "ca.pem"), authority);
  writeFileSync(join(folder, "backups"), "a file where the folder should be");
  const clock = createMovableClock(new Date().toISOString());
  const config = loadConfig({
    ...{ PORT: "0", HOST: "127.0.0.1", TRAWL_AUTH: "none", OPEN_SEARCH: "0", CHROMIUM_PATH: "/nowhere/chromium" },
    ...{ DATA_DIR: join(folder, "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...s3.env },
    BACKUP_TO: join(folder, "backups"),
    CA_FILE: join(folder, "ca.pem"),
    PUBLIC_URL: await serveTls(signed),
  });
  const app = await start(config, { log: createLog("silent"), clock });
  onTestFinished(() => app.stop());
  const { store, backups, health } = app.parts;
  const call = async (method: string, path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    expect((await fetch(app.url + path, { method, headers, body: JSON.stringify(body) })).status).toBe(200);
  };
  const look = () => health.look(new AbortController().signal);
  /** Those of Chromium are told elsewhere. */
  const told = (end: string) =>
    services.sent
      .map(({ body }): string => body.title)
      .filter((title) => title.endsWith(end) && !title.startsWith("Browser"))
      .toSorted();
  const source = { name: "hackernews", failures: 0, restUntil: 0, lastErrorAt: clock.now() };
  const scrape = () => call("POST", "/v2/scrape", { url: site.url, maxAge: 0 });

  await call("PUT", "/v2/team/notify", { notify: [{ ...services.entries.gotify, events: ["health"] }] });
  s3.mode = "refuse";
  await scrape();
  await backups?.run();
  await store.searchSources.put({ ...source, rests: 3, lastError: "HTTP 403" });
  // They are valid for two days.
  clock.advance(41 * hourMs);
  const subjects = ["Backup", "Blob store s3", "Certificate", "Search source hackernews", "Trusted authority"];
  const fault = " of the server has a fault";
  const lookAndList = async (end: string) => {
    await look();
    return told(end);
  };
  await expect.poll(() => lookAndList(fault)).toEqual(subjects.map((subject) => subject + fault));
  const texts = services.sent.map(({ body }) => body.message).join("\n");
  for (const part of [
    "The last backup to ",
    "HTTP 403",
    "The certificate of PUBLIC\\_URL expires at 20",
    "CN=Company Root",
  ])
    expect(texts).toContain(part);

  s3.mode = "pass";
  rmSync(join(folder, "backups"));
  await backups?.run();
  await store.searchSources.put({ ...source, rests: 0, lastError: null });
  clock.advance(-41 * hourMs);
  await expect
    .poll(
      async () => {
        await scrape();
        await look();
        return told(" of the server works again").length;
      },
      { interval: 500 },
    )
    .toBe(subjects.length);
  await look();
  expect(told(fault)).toHaveLength(subjects.length);
});

it("tells a first channel of what was wrong before it came", async () => {
  const { app, look, titles, notify } = await open({ CHROMIUM_PATH: "/nowhere/chromium" });
  expect((await app.call("PUT", "/v2/team/notify", { body: { notify: [] } })).status).toBe(200);
  for (const _ of [1, 2, 3]) await look();
  expect((await app.call("PUT", "/v2/team/notify", { body: { notify } })).status).toBe(200);
  for (const _ of [1, 2, 3]) await look();
  await expect.poll(titles).toEqual(["Browser of the server has a fault"]);
});

it("tells of a store that cannot be written, without the store", async () => {
  const { app, look, titles } = await open({ NOTICES_TEAM: "acme" });
  await look();
  const repair = await app.fresh.makeReadOnly();
  await look();
  await look();
  expect(titles()).toEqual(["Store of the server has a fault"]);
  await repair();
  await look();
  await look();
  expect(titles()).toEqual(["Store of the server has a fault", "Store of the server works again"]);
});
