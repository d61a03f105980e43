// Hand-off: a scrape that meets a challenge names a profile, a person solves it in a browser session with that profile, and
// later scrapes with it are let through.
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { lacksChromium, viewerPath } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";
import { openSession } from "../support/sessions.ts";
import { useApp, withoutBrowser, withQuickBrowser } from "../support/shared-app.ts";
import { article, hasPass } from "../support/walls.ts";

/** Only a click of a person passes it; its button covers the window. */
const captcha = `<!doctype html><title>Just a moment...</title><p>Verify you are human.</p><form id="challenge-form"></form>
  <button style="position:fixed;inset:0;width:100vw;height:100vh" onclick="document.cookie='pass=granted; path=/; max-age=3600';
  document.title='Passed'">I am human</button>`;
const signIn = `<!doctype html><title>Sign in</title><h1>Sign in</h1><p>Please log in to continue.</p>
  <form action="/login" method="post"><input name="user"><input type="password" name="password"><button>Log in</button></form>`;

describe.skipIf(lacksChromium).each([anyEngine])("hand-off on $name", (engine) => {
  it("lets a person solve the challenge in the live view, and later scrapes with the profile through", async () => {
    const site = await openSite({
      "/": (request, response) => {
        response.writeHead(hasPass(request) ? 200 : 403, { "content-type": "text/html" });
        response.end(hasPass(request) ? article("Harbour") : captcha);
      },
    });
    const app = await useApp(engine, withQuickBrowser);
    onTestFinished(() => app.stop());
    const scrape = (options: object = {}) =>
      app.call("POST", "/v2/scrape", { body: { url: `${site.url}/`, timeout: 20_000, ...options } });

    const { body: blocked } = await scrape();
    expect(blocked.code).toBe("SCRAPE_SITE_BLOCKED");
    const { profile, url } = blocked.details.handoff;

    const session = await openSession(app, { profile });
    const code = `await page.goto(${JSON.stringify(url)})`;
    const went = await app.call("POST", `/v2/browser/${session.id}/execute`, { body: { code } });
    expect([went.status, went.body.error]).toEqual([200, undefined]);
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const person = await chromium.launch({ executablePath: viewerPath, args: sandbox });
    onTestFinished(() => person.close());
    const view = await person.newPage();
    await view.goto(session.interactiveLiveViewUrl ?? "");
    await expect.poll(() => view.textContent("#where")).toContain("Just a moment");
    await view.locator("canvas").click();
    await expect.poll(() => view.textContent("#where")).toContain("Passed");
    expect((await app.call("DELETE", `/v2/browser/${session.id}`)).status).toBe(200);

    const { status, body } = await scrape({ profile: { name: profile.name, saveChanges: false } });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.markdown).toContain("# Harbour");
    expect(body.data.metadata.pageState).toBe("content");
    // Others are not let through by it.
    expect((await scrape()).body.code).toBe("SCRAPE_SITE_BLOCKED");
  });

  it("is named in the warning of a page that needs a login", async () => {
    const site = await openSite({
      "/account": (_request, response) => response.writeHead(401, { "content-type": "text/html" }).end(signIn),
    });
    const app = await useApp(engine, withoutBrowser);
    onTestFinished(() => app.stop());
    const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/account` } });
    expect([status, body.data.metadata.pageState]).toEqual([200, "login_required"]);
    expect(body.warning).toMatch(/POST \/v2\/browser.*"reach 127\.0\.0\.1"/);
  });
});
