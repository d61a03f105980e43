// Faults of the server, told to the channels of the operator's team: each once, and once more when it is over.
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { startChannelServer } from "../support/channel-server.ts";
import { anyEngine } from "../support/engines.ts";
import { makeCertificate } from "../support/site-certificates.ts";
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
    look: () => app.health.look(new AbortController().signal),
    titles: () => services.sent.map(({ body }) => body.title).toSorted(),
    texts: () => services.sent.map(({ body }) => body.message).join("\n"),
  };
}

it("tells of disk, browser, search and certificate once, when seen twice, and once when it is over", async () => {
  const folder = join(temporaryFolder(), "data");
  const tls = createServer(makeCertificate("localhost"), (_request, response) => void response.end("ok"));
  await new Promise<void>((done) => tls.listen(0, "127.0.0.1", done));
  onTestFinished(() => void tls.close());
  const { app, look, titles, texts } = await open({
    DATA_DIR: folder,
    CHROMIUM_PATH: "/nowhere/chromium",
    OWN_INDEX: "0",
    SEARXNG_ENDPOINT: "http://127.0.0.1:1",
    PUBLIC_URL: `https://localhost:${(tls.address() as AddressInfo).port}`,
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
