// What is recorded of a session: input of people and programs in every frame and shadow root, and nothing that pages do by themselves.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect as connectSocket, createServer, type Server } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../src/base/index.ts";
import { type BrowserSession, startSession } from "../../src/engines/browser/session-process.ts";
import { openSandboxNode, type SandboxNode } from "../../src/engines/sandbox/sandbox-node.ts";
import { stepInWords, stepsOfEvents } from "../../src/flows/index.ts";
import type { Net } from "../../src/net/index.ts";
import { chromiumPath, lacksChromium } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { openNet } from "../support/site-server.ts";

const most = 1024 ** 4;

const shop = `<!doctype html><title>Shop</title><meta http-equiv="content-security-policy" content="script-src 'unsafe-inline'">
<search aria-label="Products"><form action="/found"><label>Search <input name="q" type="search"></label><button>Find</button></form></search>
<label>Date <input id="day" type="date"></label><label>Colour <select id="colour"><option>Red<option>Deep blue</select></label>
<label><input type="checkbox"> Gift</label><input type="password" aria-label="Password"><input type="file" aria-label="Picture">
<div contenteditable aria-label="Note"></div><button id="self" onclick="document.title = 'clicked'">Self</button>
<button onclick="document.title = confirm('Sure?')">Ask</button><x-card></x-card><iframe name="inner" src="/inner"></iframe>
<script>
  customElements.define("x-card", class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: "closed" }).innerHTML = "<button style='width:9em;height:3em'>Closed</button>"; } });
  addEventListener("click", (event) => { if (event.isTrusted) document.getElementById("self").click(); }, true);
</script>`;

describe.skipIf(lacksChromium)("what is recorded of a session", () => {
  let site: FixtureSite;
  let net: Net;
  let node: SandboxNode;
  let session: BrowserSession;
  let door: Server;
  let browser: Browser;
  let page: Page;
  let from: number;
  beforeAll(async () => {
    node = await openSandboxNode();
    site = await startSite({
      "/": shop,
      "/inner": "<button>Inner</button>",
      "/found": "<title>Found</title><a href='/'>Home</a>",
    });
    net = openNet({ allow: "127.0.0.1" });
    const how = { searchPath: process.env.PATH ?? "", hasSandbox: true, node, hidden: [], certificates: [] };
    const limits = { maxRendererBytes: most, maxTotalBytes: most, maxFileBytes: most, networkBodyBytes: 1_000_000 };
    const { signal } = new AbortController();
    const request = { id: "test", isRecorded: true, signal };
    session = await startSession(
      { net, log: createLog("silent") },
      { path: chromiumPath ?? "", ...how, ...limits },
      request,
    );
    door = createServer((socket) => {
      const inner = connectSocket(session.devtoolsSocket);
      socket.pipe(inner).pipe(socket);
      for (const each of [socket, inner]) each.on("error", () => undefined);
    }).listen(0, "127.0.0.1");
    await once(door, "listening");
    browser = await chromium.connectOverCDP(`ws://127.0.0.1:${(door.address() as AddressInfo).port}/`);
    page = browser.contexts()[0]?.pages()[0] as Page;
  });
  afterAll(async () => {
    await browser?.close();
    door?.close();
    await session?.close();
    node.remove();
    await net.close();
    await site.close();
  });
  beforeEach(async () => {
    from = session.recorder?.events().length ?? 0;
    await page.goto(`${site.url}/`);
  });

  const recorded = () => (session.recorder?.events() ?? []).slice(from);
  const words = () => stepsOfEvents(recorded()).map(stepInWords);
  const home = () => `open ${site.url}/`;

  it("typed text is one step, with its field and place, and the key that sends it; what follows from it is no step", async () => {
    await page.getByRole("searchbox").click();
    await page.keyboard.type("lamp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/found?q=lamp");
    const search = "fill in searchbox “Search” in “Products”";
    await expect.poll(words).toEqual([home(), search, "press Enter in searchbox “Search” in “Products”"]);
    expect(recorded().find(({ type }) => type === "input")?.target).toMatchObject({
      ...{ role: "searchbox", name: "Search", label: "Search", within: { role: "search", name: "Products" } },
    });
    await page.goBack();
    await expect.poll(() => words().at(-1)).toBe("go back");
  });

  it("clicks are recorded and the page's own are not; a script of the page cannot stop it", async () => {
    await page.getByRole("button", { name: "Find" }).click();
    await page.waitForURL("**/found?q=");
    await expect.poll(words).toEqual([home(), "click button “Find” in “Products”"]);
  });

  it("fields that drivers set by a script, choices, check boxes, files and editors", async () => {
    await page.getByLabel("Date").fill("2026-03-01");
    await page.getByLabel("Colour").selectOption("Deep blue");
    await page.getByText("Gift").click();
    await page.getByLabel("Picture").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
    await page.getByLabel("Note").fill("hello");
    await expect
      .poll(() => recorded().map(({ type, value, checked }) => [type, value ?? checked]))
      .toEqual([
        ["navigate", undefined],
        ["input", "2026-03-01"],
        ["select", ["Deep blue"]],
        ["check", true],
        ["upload", undefined],
        ["input", "hello"],
      ]);
  });

  it("what is typed into a password field is never taken", async () => {
    await page.getByLabel("Password").fill("hunter22");
    await expect
      .poll(() => stepsOfEvents(recorded()).at(-1))
      .toMatchObject({ type: "fill", value: "{{secret:password}}" });
    expect(JSON.stringify(recorded())).not.toContain("hunter22");
  });

  it("closed shadow roots and frames", async () => {
    const box = await page.locator("x-card").boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 15);
    await expect
      .poll(async () => {
        await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 15);
        return words().at(-1);
      })
      .toBe("click button “Closed”");
    await page.frameLocator("iframe").getByRole("button").click();
    await expect
      .poll(() => recorded().at(-1)?.target)
      .toMatchObject({
        ...{ name: "Inner", frame: [{ name: "inner", url: `${site.url}/inner` }] },
      });
  });

  it("dialogs with their answers, windows, and errors of the console", async () => {
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Ask" }).click();
    const window = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate('setTimeout(() => { open("/found"); console.error("broken"); }, 1); 0'),
    ]).then(([popup]) => popup);
    await window.getByRole("link").click();
    await expect
      .poll(() =>
        recorded()
          .map(({ type, page: number }) => `${type} ${number}`)
          .sort(),
      )
      .toEqual(["navigate 0", "click 0", "dialog 0", "console 0", "window 1", "click 1"].sort());
    await window.close();
  });
});
