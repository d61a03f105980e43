// Watching sessions and taking part in them, in a real web browser against the real server.
import { once } from "node:events";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser, viewerPath } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { connectRaw, drive, type OpenedSession, openSession } from "../support/sessions.ts";

/** Covers the whole window, so that every place in the picture is the button. */
const buttonPage = `<!doctype html><title>Button</title><body style="margin:0;background:#00f">
  <textarea style="position:fixed;top:0;left:0;width:100vw;height:50vh"></textarea>
  <button style="position:fixed;bottom:0;left:0;width:100vw;height:50vh" onclick="document.title='Clicked '+(++n);document.body.style.background='#f00'">Press</button>
  <script>let n = 0</script>`;

/** Asks the next thing at every click. */
const askingPage = `<!doctype html><title>Asking</title>
  <button style="position:fixed;inset:0;width:100vw;height:100vh" onclick="document.title='Said ' + questions.shift()()">Ask</button>
  <script>const questions = [() => confirm("Go on?"), () => confirm("And now?"), () => prompt("Who?", "nobody"),
    () => alert("Look here"), () => confirm("Still there?")]</script>`;

const noisePage = `<canvas width=1280 height=780></canvas><script>
  const pen = document.querySelector("canvas").getContext("2d");
  setInterval(() => {
    for (let i = 0; i < 4000; i++) {
      pen.fillStyle = "#" + Math.random().toString(16).slice(2, 8);
      pen.fillRect(Math.random() * 1280, Math.random() * 780, 25, 25);
    }
  }, 100)</script>`;

describe.skipIf(lacksChromium).each([anyEngine])("the live view on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  let person: Browser;
  beforeAll(async () => {
    site = await startSite({ "/": buttonPage, "/asking": askingPage, "/other": "<title>Other</title><h1>Other</h1>" });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`, ...quickBrowser });
    // The person's own browser, beside the server's.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    person = await chromium.launch({ executablePath: viewerPath, args: sandbox });
  });
  afterAll(async () => {
    await person.close();
    await app.stop();
    await site.close();
  });

  /** As one more client, which is gone again before anybody watches. */
  const run = async <Value>(session: OpenedSession, act: (page: Page) => Promise<Value>): Promise<Value> => {
    const client = await drive(session);
    try {
      const [context] = client.contexts();
      const page = context?.pages()[0] ?? (await context?.newPage());
      if (page === undefined) throw new Error("the session has no context");
      return await act(page);
    } finally {
      await client.close();
    }
  };
  const end = (session: OpenedSession) => app.call("DELETE", `/v2/browser/${session.id}`);
  const look = async (url: string, hasClock = false): Promise<Page & { problems: string[] }> => {
    const page = Object.assign(await person.newPage(), { problems: [] as string[] });
    if (hasClock) await page.clock.install();
    page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
    page.on("pageerror", (error) => page.problems.push(error.message));
    await page.goto(url);
    return page;
  };
  /** The same through a connection that can be cut. */
  const lookThroughGate = async (url: string, hasClock = false) => {
    const sockets = new Set<Socket>();
    const targets = new Set<Socket>();
    const gate = createServer((socket) => {
      const to = connectSocket(Number(new URL(url).port), "127.0.0.1");
      sockets.add(socket.on("error", () => to.destroy()));
      targets.add(to);
      socket.pipe(to.on("error", () => socket.destroy())).pipe(socket);
    });
    gate.listen(0, "127.0.0.1");
    await once(gate, "listening");
    onTestFinished(() => void gate.close());
    const there = new URL(url);
    there.port = String((gate.address() as AddressInfo).port);
    const view = await look(there.href, hasClock);
    const cut = () => {
      for (const socket of sockets) socket.destroy();
    };
    /** Nothing passes any more, on connections that stay open. */
    const stall = () => {
      for (const socket of sockets) socket.unpipe().on("data", () => undefined);
      for (const to of targets) to.unpipe().on("data", () => undefined);
    };
    return { view, cut, stall };
  };
  const framesOf = async (page: Page) => Number((await page.locator("canvas").getAttribute("data-frames")) ?? 0);
  /** Red, green, blue in the middle of the picture's lower half. */
  const colourOf = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const { data } = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(
        2,
        canvas.height / 2 - 2,
        1,
        1,
      );
      return [...data.slice(0, 3)];
    });
  const connect = (address: string) => {
    const socket = new WebSocket(streamOf(address));
    const closed = new Promise<number>((done) => socket.once("close", done));
    const opened = new Promise<string>((done) => {
      socket.once("open", () => done("open"));
      socket.once("unexpected-response", (_request, response) => {
        done(String(response.statusCode));
        response.resume();
      });
      socket.on("error", () => done("error"));
    });
    return { socket, opened, closed };
  };
  const streamOf = (address: string) => address.replace(/^http/, "ws").replace("?", "/stream?");

  it("refuses wrong and expired tokens, and tells watchers of the end", async () => {
    const session = await openSession(app);
    const other = await openSession(app);
    const { liveViewUrl = "", interactiveLiveViewUrl = "", cdpUrl } = session;
    const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
    expect(new Set([liveViewUrl, interactiveLiveViewUrl, cdpUrl, other.liveViewUrl ?? ""].map(tokenOf)).size).toBe(4);
    const at = (token: string) => `${app.url}/view/${session.id}${token}`;
    const wrong = [
      at(""),
      at("?token="),
      at("?token=guess"),
      at(`?token=${tokenOf(other.liveViewUrl ?? "")}`),
      at(`?token=${tokenOf(cdpUrl)}`),
      at(`?token=${tokenOf(interactiveLiveViewUrl)}`),
      at(`?token=${tokenOf(liveViewUrl)}&token=x`),
      liveViewUrl.replace(session.id, other.id),
      liveViewUrl.replace(session.id, "0198f1cb-0000-7000-8000-000000000009"),
    ];
    for (const address of wrong) {
      expect([address, (await fetch(address)).status]).toEqual([address, 401]);
      expect([address, await connect(address.includes("?") ? address : `${address}?`).opened]).toEqual([
        address,
        "401",
      ]);
    }
    const view = await look(liveViewUrl);
    await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
    await end(session);
    await expect.poll(() => view.textContent("#status")).toContain("ended");
    expect((await fetch(liveViewUrl)).status).toBe(410);
    expect(await connect(liveViewUrl).opened).toBe("410");
    await view.close();
    await end(other);
  });

  it("is not there without streamWebView", async () => {
    const session = await openSession(app, { streamWebView: false });
    expect([session.liveViewUrl, session.interactiveLiveViewUrl]).toEqual([undefined, undefined]);
    const listed = (await app.get("/v2/browser?status=active")).body.sessions;
    const own = listed.find(({ id }: { id: string }) => id === session.id);
    expect(own).toMatchObject({ streamWebView: false });
    expect([own.liveViewUrl, own.interactiveLiveViewUrl]).toEqual(["", undefined]);
    await end(session);
  });

  it("ends watching without an end of the session, and does not keep it alive", async () => {
    const session = await openSession(app);
    const usedAt = async () => (await app.get(`/v2/browser/${session.id}`)).body.lastActivity;
    const view = await look(session.liveViewUrl ?? "");
    await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
    const before = await usedAt();
    await view.reload();
    await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
    await view.close();
    expect(await usedAt()).toBe(before);
    expect((await app.get(`/v2/browser/${session.id}`)).body.status).toBe("active");
    await end(session);
  });

  it("comes back by itself when its connection was cut", async () => {
    const session = await openSession(app);
    await run(session, (page) => page.goto(`${site.url}/other`));
    const { view, cut } = await lookThroughGate(session.liveViewUrl ?? "");
    await expect.poll(() => view.textContent("#where")).toContain("Other");
    const frames = await framesOf(view);
    cut();
    await expect.poll(() => view.textContent("#status")).toBe("Connected.");
    await expect.poll(() => framesOf(view)).toBeGreaterThan(frames);
    await end(session);
    await expect.poll(() => view.textContent("#status")).toContain("ended");
    await view.close();
  });

  describe("of one session", () => {
    let session: OpenedSession;
    beforeAll(async () => {
      session = await openSession(app);
    });
    afterAll(() => end(session));

    it("shows the page as it changes, to several watchers", async () => {
      await run(session, (page) => page.goto(`${site.url}/`));
      const watchers = [await look(session.liveViewUrl ?? ""), await look(session.liveViewUrl ?? "")];
      for (const watcher of watchers) {
        await expect.poll(() => framesOf(watcher)).toBeGreaterThan(0);
        await expect.poll(() => watcher.textContent("#where")).toBe(`Button – ${site.url}/`);
      }
      const before = await framesOf(watchers[0] as Page);
      await run(session, (page) => page.goto(`${site.url}/other`));
      for (const watcher of watchers)
        await expect.poll(() => watcher.textContent("#where")).toBe(`Other – ${site.url}/other`);
      await expect.poll(() => framesOf(watchers[0] as Page)).toBeGreaterThan(before);
      // A page that is opened later is followed, and the one before is shown again when it is gone.
      await run(session, async (page) => (await page.context().newPage()).goto(`${site.url}/`));
      await expect.poll(() => watchers[0]?.textContent("#where")).toBe(`Button – ${site.url}/`);
      await run(session, async (page) => {
        const later = page
          .context()
          .pages()
          .find((each) => each.url() === `${site.url}/`);
        await later?.close();
      });
      await expect.poll(() => watchers[0]?.textContent("#where")).toBe(`Other – ${site.url}/other`);
      for (const watcher of watchers) {
        expect(watcher.problems).toEqual([]);
        await watcher.close();
      }
    });

    it("passes clicks, keys, text and the wheel of one who takes part on to the page", async () => {
      await run(session, (page) => page.goto(`${site.url}/`));
      const view = await look(session.interactiveLiveViewUrl ?? "");
      await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
      const box = (await view.locator("canvas").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await view.mouse.click(box.x + box.width / 2, box.y + box.height * 0.75);
      await expect.poll(() => run(session, (page) => page.title())).toBe("Clicked 1");
      await expect.poll(() => view.textContent("#where")).toContain("Clicked 1");
      await view.mouse.click(box.x + box.width / 2, box.y + box.height * 0.25);
      await view.keyboard.type("Hi, you");
      await view.keyboard.press("Enter");
      await view.keyboard.press("Backspace");
      await view.keyboard.type("!");
      await expect.poll(() => run(session, (page) => page.inputValue("textarea"))).toBe("Hi, you!");
      expect(view.problems).toEqual([]);
      const { socket, opened } = connect(session.interactiveLiveViewUrl ?? "");
      expect(await opened).toBe("open");
      socket.send(JSON.stringify({ type: "text", text: " Pasted." }));
      await expect.poll(() => run(session, (page) => page.inputValue("textarea"))).toBe("Hi, you! Pasted.");
      await run(session, (page) => page.setContent("<div style=height:5000px>tall</div>"));
      socket.send(JSON.stringify({ type: "wheel", x: 0.5, y: 0.5, deltaX: 0, deltaY: 300 }));
      await expect.poll(() => run(session, (page) => page.evaluate(() => scrollY))).toBeGreaterThan(0);
      socket.close();
      await view.close();
    });

    it("passes on any character that a keyboard makes, with AltGr and beyond the first plane too", async () => {
      await run(session, (page) => page.goto(`${site.url}/`));
      const view = await look(session.interactiveLiveViewUrl ?? "");
      await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
      const box = (await view.locator("canvas").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await view.mouse.click(box.x + box.width / 2, box.y + box.height * 0.25);
      await view.evaluate(() => {
        const canvas = document.querySelector("canvas");
        const press = (key: string, more: object = {}) => {
          for (const type of ["keydown", "keyup"]) canvas?.dispatchEvent(new KeyboardEvent(type, { key, ...more }));
        };
        for (const key of ["é", "ß", "日", "😀"]) press(key);
        press("@", { ctrlKey: true, altKey: true, modifierAltGraph: true });
      });
      await expect.poll(() => run(session, (page) => page.inputValue("textarea"))).toBe("éß日😀@");
      await view.close();
    });

    it("lets one who takes part answer what a page asks; a watcher only sees it", async () => {
      await run(session, (page) => page.goto(`${site.url}/asking`));
      const view = await look(session.interactiveLiveViewUrl ?? "");
      const watcher = await look(session.liveViewUrl ?? "");
      for (const each of [view, watcher]) await expect.poll(() => each.textContent("#where")).toContain("Asking");
      await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
      const ask = () => view.locator("canvas").click();
      const dialog = view.locator("dialog");

      await ask();
      await expect.poll(() => dialog.locator("p").textContent()).toBe("Go on?");
      await expect.poll(() => watcher.textContent("#status")).toBe("The page is waiting for an answer: Go on?");
      expect(await watcher.locator("dialog").count()).toBe(0);
      await view.getByRole("button", { name: "OK" }).click();
      for (const each of [view, watcher]) await expect.poll(() => each.textContent("#where")).toContain("Said true");
      await expect.poll(() => watcher.textContent("#status")).toBe("Connected.");

      await ask();
      await expect.poll(() => dialog.isVisible()).toBe(true);
      await view.keyboard.press("Escape");
      await expect.poll(() => view.textContent("#where")).toContain("Said false");

      await ask();
      await expect.poll(() => dialog.locator("input").inputValue()).toBe("nobody");
      await dialog.locator("input").fill("Ada");
      await view.keyboard.press("Enter");
      await expect.poll(() => view.textContent("#where")).toContain("Said Ada");

      await ask();
      await expect.poll(() => dialog.isVisible()).toBe(true);
      expect(await view.getByRole("button", { name: "Cancel" }).isVisible()).toBe(false);
      await view.getByRole("button", { name: "OK" }).click();
      await expect.poll(() => view.textContent("#where")).toContain("Said undefined");

      // Who comes later sees it too; when the last one who could answer leaves, the answer is no.
      await ask();
      await expect.poll(() => dialog.isVisible()).toBe(true);
      const second = await look(session.interactiveLiveViewUrl ?? "");
      await expect.poll(() => second.locator("dialog").isVisible()).toBe(true);
      await second.close();
      expect(await dialog.isVisible()).toBe(true);
      expect(view.problems).toEqual([]);
      await view.close();
      await expect.poll(() => watcher.textContent("#where")).toContain("Said false");
      await watcher.close();
    });

    it("comes back when its connection has died without a word", async () => {
      await run(session, (page) => page.goto(`${site.url}/other`));
      const { view, stall } = await lookThroughGate(session.liveViewUrl ?? "", true);
      await expect.poll(() => view.textContent("#where")).toContain("Other");
      stall();
      await run(session, (page) => page.goto(`${site.url}/`));
      expect(await view.textContent("#where")).toContain("Other");
      await view.clock.fastForward(80_000);
      await expect.poll(() => view.textContent("#status")).toBe("Connection lost.");
      await view.clock.fastForward(1000);
      await expect.poll(() => view.textContent("#where")).toContain("Button");
      expect(await view.textContent("#status")).toBe("Connected.");
      await view.close();
    });

    it("lets a watcher only watch", async () => {
      await run(session, (page) => page.goto(`${site.url}/`));
      const view = await look(session.liveViewUrl ?? "");
      await expect.poll(() => framesOf(view)).toBeGreaterThan(0);
      await view.locator("canvas").click();
      expect(await view.textContent("main")).toContain("read-only");
      const { socket, opened, closed } = connect(session.liveViewUrl ?? "");
      expect(await opened).toBe("open");
      socket.send(JSON.stringify({ type: "mouse", action: "down", x: 0.5, y: 0.75, button: "left", clickCount: 1 }));
      expect(await closed).toBe(1008);
      expect(await run(session, (page) => page.title())).toBe("Button");
      // The word alone does not make a watcher's token more.
      const lifted = `${session.liveViewUrl}&control=1`;
      expect((await fetch(lifted)).status).toBe(401);
      expect(await connect(lifted).opened).toBe("401");
      await view.close();
    });

    it("closes on messages that are no input", async () => {
      for (const message of [
        "",
        "{",
        "[]",
        '{"type":"mouse","action":"down","x":2,"y":0}',
        '{"type":"cdp","method":"x"}',
        "x".repeat(20_000),
      ]) {
        const { socket, opened, closed } = connect(session.interactiveLiveViewUrl ?? "");
        expect(await opened).toBe("open");
        socket.send(message);
        expect([1008, 1009]).toContain(await closed);
      }
    });

    it("runs under a strict policy and names what it shows", async () => {
      const answer = await fetch(session.interactiveLiveViewUrl ?? "");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      const view = await look(session.interactiveLiveViewUrl ?? "");
      expect(await view.getAttribute("html", "lang")).toBe("en");
      expect(await view.locator("canvas").getAttribute("aria-label")).toContain("Screenshot of the page");
      await view.keyboard.press("Tab");
      expect(await view.evaluate(() => document.activeElement?.tagName)).toBe("CANVAS");
      await view.keyboard.press("Shift+Escape");
      expect(await view.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
      await view.close();
    });

    it("shows a picture, not only a count of pictures", async () => {
      await run(session, (page) => page.setContent("<body style='margin:0;background:#0000ff'>"));
      const view = await look(session.liveViewUrl ?? "");
      const isNear = (colour: number[], wanted: number[]) =>
        colour.every((value, index) => Math.abs(value - (wanted[index] ?? 0)) < 40);
      await expect.poll(async () => isNear(await colourOf(view), [0, 0, 255])).toBe(true);
      await run(session, (page) => page.setContent("<body style='margin:0;background:#ff0000'>"));
      await expect.poll(async () => isNear(await colourOf(view), [255, 0, 0])).toBe(true);
      await view.close();
    });

    it("is not held up by a watcher that does not read, and has room for twenty", async () => {
      const stuck = connect(session.liveViewUrl ?? "");
      expect(await stuck.opened).toBe("open");
      stuck.socket.pause();
      const watching = connect(session.liveViewUrl ?? "");
      let bytes = 0;
      watching.socket.on("message", (data: Buffer) => {
        bytes += data.length;
      });
      // Noise makes large pictures: many times what waits for one watcher at most.
      await run(session, (page) => page.setContent(noisePage));
      await expect.poll(() => bytes).toBeGreaterThan(6 * 1024 * 1024);
      const others = await Promise.all(
        Array.from({ length: 18 }, async () => {
          const other = connect(session.liveViewUrl ?? "");
          expect(await other.opened).toBe("open");
          return other;
        }),
      );
      expect(await connect(session.liveViewUrl ?? "").closed).toBe(1013);
      for (const { socket } of [stuck, watching, ...others]) socket.terminate();
    });

    it("goes on when a page asks something that no viewer answers, and says when no page is open", async () => {
      await run(session, (page) => page.goto(`${site.url}/other`));
      const view = await look(session.liveViewUrl ?? "");
      await expect.poll(() => view.textContent("#where")).toContain("Other");
      const ask =
        "setTimeout(() => { const said = [alert('a'), confirm('b'), prompt('c')]; document.title = 'Said ' + said }, 500)";
      await run(session, (page) => page.evaluate(ask));
      await expect.poll(() => view.textContent("#where")).toContain("Said ,false,");
      const root = await connectRaw(session.cdpUrl);
      const { targetInfos } = await root.send("Target.getTargets");
      const shown = targetInfos.find(({ title }: { title: string }) => title.startsWith("Said"));
      const { sessionId } = await root.send("Target.attachToTarget", { targetId: shown.targetId, flatten: true });
      const size = { width: 640, height: 360, deviceScaleFactor: 1, mobile: false };
      await root.send("Emulation.setDeviceMetricsOverride", size, sessionId);
      await expect.poll(() => view.locator("canvas").evaluate((each: HTMLCanvasElement) => each.width)).toBe(640);
      for (const { type, targetId } of targetInfos)
        if (type === "page") await root.send("Target.closeTarget", { targetId });
      await expect.poll(() => view.textContent("#where")).toBe("No page is open.");
      await root.send("Target.createTarget", { url: `${site.url}/` });
      await expect.poll(() => view.textContent("#where")).toContain("Button");
      root.close();
      await view.close();
    });
  });
});
