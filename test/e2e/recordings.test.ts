// Recordings of sessions: what is seen and what happens is kept, a person plays it, and passwords are not in it.
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser, viewerPath } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { drive, openSession } from "../support/sessions.ts";

const signInPage = `<!doctype html><title>Sign in</title><body style="background:#fff">
  <form><label>Name <input name="name"></label>
  <label>Password <input id="password" type="password"></label>
  <label>Code <input id="code" autocomplete="one-time-code"></label>
  <button type="button" onclick="password.type='text'">Show password</button></form>`;
const secretText = "hunter2-in-the-field";

describe.skipIf(lacksChromium)("recordings of sessions", () => {
  let site: FixtureSite;
  let app: TestApp;
  const clock = createMovableClock("2026-11-19T12:00:00Z");
  beforeAll(async () => {
    site = await startSite({
      "/": signInPage,
      "/blue": `<!doctype html><title>Blue</title><body style="background:#00f">`,
    });
    app = await startApp(
      anyEngine,
      { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`, SESSION_RECORDING_HOURS: "2", ...quickBrowser },
      clock,
    );
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  /** Signs in, makes the password readable, goes on; each picture has time to be taken. */
  async function record(body: object = {}) {
    const session = await openSession(app, body);
    const client = await drive(session);
    const page = client.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error("the session has no page");
    await page.goto(`${site.url}/`);
    await page.fill("#password", secretText);
    await page.fill("#code", "123456");
    await page.click("text=Show password");
    await expect
      .poll(() =>
        page.$eval("#password", (field) =>
          [(field as HTMLInputElement).type, getComputedStyle(field).getPropertyValue("-webkit-text-security")].join(),
        ),
      )
      .toBe(body && "recordSession" in body ? "text,none" : "text,disc");
    if (!("recordSession" in body)) {
      expect(
        await page.$eval("#code", (field) => getComputedStyle(field).getPropertyValue("-webkit-text-security")),
      ).toBe("disc");
    }
    await page.waitForTimeout(700);
    await page.goto(`${site.url}/blue`);
    await page.waitForTimeout(700);
    return { session, client };
  }
  const replayOf = (id: string, key = app.key) => app.get(`/v2/browser/${id}/replay`, { key });

  it("keep the pictures and events of a session, play them in a page, and are read, hidden and erased as agreed", async () => {
    const { session, client } = await record();
    const during = await replayOf(session.id);
    expect([during.status, during.body.status]).toEqual([200, "recording"]);
    await client.close();
    await app.call("DELETE", `/v2/browser/${session.id}`);
    const { body } = await replayOf(session.id);
    expect(body).toMatchObject({ success: true, id: session.id, status: "ready", truncated: false });
    expect(body.frames.length).toBeGreaterThanOrEqual(2);
    expect(
      body.frames.every(({ width, height }: Record<string, number>) => Math.max(width ?? 0, height ?? 0) <= 1280),
    ).toBe(true);
    expect(body.bytes).toBeGreaterThan(1000);
    const opened = body.events.filter(({ type }: { type: string }) => type === "navigate");
    expect(opened.map(({ url }: { url: string }) => url)).toEqual([`${site.url}/`, `${site.url}/blue`]);
    expect(JSON.stringify(body)).not.toContain(secretText);
    expect(body.pages[0]).toMatchObject({ title: "Blue", url: `${site.url}/blue`, frames: body.frames.length });
    const onePage = await app.get(`/v2/interact/${session.id}/replay/${body.pages[0].pageId}`);
    expect(onePage.body.frames).toHaveLength(body.frames.length);
    expect((await app.get(`/v2/browser/${session.id}/replay/unknown`)).status).toBe(404);
    expect((await replayOf(session.id, app.otherKey)).body.code).toBe("REPLAY_NOT_FOUND");

    const picture = await fetch(body.frames[0].url);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(Buffer.from(await picture.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    for (const url of [body.frames[0].url, body.replayUrl]) {
      expect((await fetch(url.replace(/token=.*/, "token=wrong"))).status).toBe(401);
    }
    await play(body.replayUrl);

    clock.advance(3 * 3_600_000);
    expect((await replayOf(session.id)).status).toBe(404);
    expect((await fetch(body.replayUrl)).status).toBe(401);
  });

  async function play(replayUrl: string) {
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const person: Browser = await chromium.launch({ executablePath: viewerPath, args: sandbox });
    try {
      const page = await person.newPage();
      const problems: string[] = [];
      const hosts = new Set<string>();
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      page.on("request", (request) => hosts.add(new URL(request.url()).host));
      await page.goto(replayUrl);
      const slider = page.getByRole("slider", { name: "Time" });
      const shownPicture = () => page.locator("#picture").getAttribute("src");
      await expect.poll(shownPicture).toContain(".jpg");
      const first = await shownPicture();
      await page.getByRole("button", { name: /Open .*blue/ }).click();
      await expect.poll(shownPicture).not.toBe(first);
      await slider.fill("0");
      await page.getByRole("button", { name: "Play" }).click();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Play" }).waitFor();
      await expect
        .poll(() => page.locator("#picture").evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(100);
      expect([problems, [...hosts]]).toEqual([[], [new URL(replayUrl).host]]);
    } finally {
      await person.close();
    }
  }

  it("are made only where they are wanted, and can be deleted", async () => {
    const { session, client } = await record({ recordSession: false });
    await client.close();
    const answer = await replayOf(session.id);
    expect([answer.status, answer.body.code]).toEqual([404, "REPLAY_NOT_RECORDED"]);
    await app.call("DELETE", `/v2/browser/${session.id}`);
    const recorded = await openSession(app);
    expect((await replayOf(recorded.id)).status).toBe(200);
    expect((await app.call("DELETE", `/v2/browser/${recorded.id}/replay`, { key: app.otherKey })).status).toBe(404);
    expect((await app.call("DELETE", `/v2/browser/${recorded.id}/replay`)).body).toEqual({ success: true });
    expect((await replayOf(recorded.id)).body.code).toBe("REPLAY_NOT_FOUND");
    await app.call("DELETE", `/v2/browser/${recorded.id}`);
    expect((await replayOf(recorded.id)).status).toBe(404);
    expect((await app.get("/v2/browser/unknown/replay")).body.code).toBe("REPLAY_NOT_FOUND");
  });
});
