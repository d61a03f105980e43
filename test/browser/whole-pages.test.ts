// Rendered pages that are complete: what loads late, grows, hides in closed shadow roots or behind a dialog, or comes only
// after a challenge that a browser passes by itself.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

const page = (body: string, title = "Whole") => `<!doctype html><title>${title}</title><body style="margin:0">${body}`;
const filler = Array.from({ length: 60 }, (_, n) => `<p style="height:100px">paragraph ${n} with words</p>`).join("");
const watched = "addEventListener('scroll', () => undefined)";

/** Sections that fetch their text when they are seen. */
const sections = `${filler}${[1, 2, 3].map((n) => `<section data-n="${n}" style="height:900px"></section>`).join("")}
  <script>const seer = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries)
    if (isIntersecting && !target.textContent) fetch("/late?" + target.dataset.n).then((answer) => answer.text()).then((text) => {
      target.textContent = text }) });
    for (const each of document.querySelectorAll("section")) seer.observe(each)</script>`;

const growing = (grow: string) => `<div id="list"></div><div id="end" style="height:20px"></div><script>
  let count = 0;
  const add = () => { for (let n = 0; n < 10; n++) list.insertAdjacentHTML("beforeend", '<p style="height:100px;margin:0">item ' + ++count + "</p>") };
  add(); ${grow}</script>`;

/** What sites show of three makers of dialogs, with what happens when a button is pressed. */
const told = (word: string) => `onclick="document.body.append(' said ${word} '); this.closest('.dialog').remove()"`;
const dialogStyle = 'style="position:fixed;bottom:0;left:0;right:0;height:300px;background:white"';
const oneTrust = (
  buttons: string,
) => `<div id="onetrust-consent-sdk" class="dialog"><div id="onetrust-banner-sdk" ${dialogStyle}>
  <p>We use cookies to improve your experience.</p>${buttons}</div></div>`;

const pages: Parameters<typeof startSite>[0] = {
  "/static": page(filler),
  "/sections": page(sections),
  "/late": ({ url = "" }, response) => void response.end(`late words ${url.split("?")[1]}`),
  "/inner": page(`<div style="height:100vh;overflow:auto"><main>${sections}</main></div>`),
  "/list": page(
    growing(
      `new IntersectionObserver(async ([seen]) => { if (seen.isIntersecting) { await fetch("/late"); add() } }).observe(end)`,
    ),
  ),
  "/endless": page(growing("addEventListener('scroll', () => { for (let n = 0; n < 20; n++) add() })")),
  "/restless": page(`${filler}<script>${watched}; setInterval(() => document.body.append("."), 5)</script>`),
  "/redefined": page(`${filler}<div id="seen"></div><script>
    const no = () => { document.body.append("REDEFINED") };
    for (const name of ["scroll", "scrollTo", "scrollBy", "requestAnimationFrame"]) window[name] = no;
    Element.prototype.scrollTo = Element.prototype.scrollBy = no; performance.now = () => 0;
    Object.defineProperty(document, "scrollingElement", { get: () => null });
    new IntersectionObserver(([each]) => { if (each.isIntersecting) seen.textContent = "seen all the same" }).observe(seen)</script>`),
  "/closed":
    page(`<own-card><b>slotted</b></own-card><script>customElements.define("own-card", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = "<p>closed words</p><slot></slot><inner-card></inner-card>" } });
    customElements.define("inner-card", class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: "closed" }).textContent = "closed within closed" } });
    document.body.append(document.querySelector("own-card").shadowRoot === null ? "STILL CLOSED" : "OPENED",
      String(Element.prototype.attachShadow).includes("[native code]") ? "" : "NOTICED")</script>
    <iframe srcdoc="<div id=host></div><script>host.attachShadow({ mode: 'closed' }).textContent = 'closed in a frame'</script>"></iframe>`),
  "/written":
    page(`<div><template shadowrootmode="closed"><p>written and closed</p><slot></slot><section><template shadowrootmode="closed">
    written within it</template></section></template><i>slotted</i></div><iframe srcdoc="<p><template shadowrootmode=closed>written
    in a frame</template></p>"></iframe><script>document.body.append(document.querySelector("div").shadowRoot === null ? "STILL CLOSED" : "OPENED")</script>`),
  "/onetrust": page(
    `<p>Text</p>${oneTrust(`<button id="onetrust-accept-btn-handler" ${told("yes")}>Alles in Ordnung</button>
    <button id="onetrust-reject-all-handler" ${told("no")}>Lieber nicht</button>`)}`,
  ),
  "/cookiebot": page(`<p>Text</p><div id="CybotCookiebotDialog" class="dialog" ${dialogStyle}>We use cookies.
    <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll">Fein</button></div>
    <script>window.Cookiebot = { hasResponse: false, dialog: { visible: true }, hide() { CybotCookiebotDialog.remove() },
      withdraw() { document.body.append(" withdrawn ") } }</script>`),
  "/didomi":
    page(`<p>Text</p><div id="didomi-host" class="dialog"><div id="didomi-notice" ${dialogStyle}>Cookies und Partner.
    <button id="didomi-notice-agree-button" ${told("yes")}>Na gut</button>
    <button id="didomi-notice-disagree-button" ${told("no")}>Eher nicht</button></div></div>`),
  "/only-yes": page(`<p>Text</p><div class="cookie-bar dialog" ${dialogStyle}>We use cookies.
    <button ${told("yes")}>Got it</button></div>`),
  "/age":
    page(`<p>Text</p><div class="age-consent dialog" ${dialogStyle}>Consent: you must be 18 years or older. We use cookies.
    <button ${told("old enough")}>I agree</button></div>`),
  "/fake": page(`<p>Text</p>${oneTrust('<button id="onetrust-reject-all-handler">Reject all</button>')}<script>
    document.querySelector("#onetrust-reject-all-handler").onclick = () => {
      for (let n = 0; n < 500; n++) document.body.insertAdjacentHTML("beforeend", '<div class="cookie-bar" style="position:fixed">cookies <button>Reject</button></div>') };
    window.autoconsentSendMessage = window.autoconsentReceiveMessage = () => { document.body.append("HEARD") };</script>`),
  "/worker": page(`<p id="answer">none</p><script>navigator.serviceWorker.register("/service.js")
    .then(() => { answer.textContent = navigator.serviceWorker.controller === null ? "not controlled" : "controlled" })
    .catch(() => { answer.textContent = "refused" })</script>`),
  "/parts":
    page(`<style>@font-face { font-family: own; src: url(/font.woff2) } p { font-family: own }</style><p>words</p>
    <img src="/picture.png" onload="document.body.append('picture is there')" onerror="document.body.append('NO PICTURE')">
    <img crossorigin src="/shared.png" onload="document.body.append('shared too')">
    <video src="/film.mp4" muted autoplay onloadeddata="document.body.append('film is there')" onerror="document.body.append('NO FILM')"></video>
    <script>document.fonts.ready.then(() => document.body.append("fonts are ready"))</script>`),
  "/top": page(`<div style="height:800px;background:rgb(0,128,0)"></div>${filler}<script>${watched};
    addEventListener("scroll", () => { document.title = "scrolled" }, { once: true })</script>`),
};

/** Pages that let only those in who come back with a cookie. */
const challenges: Parameters<typeof startSite>[0] = {};
function challenge(path: string, status: number, wall: string, headers: Record<string, string> = {}): void {
  Object.assign(challenges, {
    [path]: (request: { headers: { cookie?: string } }, response: import("node:http").ServerResponse) => {
      const isPassed = request.headers.cookie?.includes(`passed${path.slice(1)}=1`) === true;
      response.writeHead(isPassed ? 200 : status, { "content-type": "text/html", ...headers });
      response.end(isPassed ? page(`<h1>The page that was asked for</h1><p>${"words ".repeat(100)}</p>`) : wall);
    },
  });
}
const passes = (path: string, ms: number) =>
  `<script>setTimeout(() => { document.cookie = "passed${path.slice(1)}=1"; location.reload() }, ${ms})</script>`;
challenge("/unnamed", 403, page(`<h1>Forbidden</h1>${passes("/unnamed", 1200)}`));
challenge("/named", 200, page(`Checking your browser before you go on. ${passes("/named", 1200)}`, "Just a moment..."));
challenge("/refresh", 503, `<meta http-equiv="refresh" content="1; url=/refresh">Wait.`, {
  "set-cookie": "passedrefresh=1",
});
challenge("/never", 403, page(`<h1>Access denied</h1><script>window.x = 1</script>`));
challenge("/person", 403, page(`<h1>Are you a person?</h1><div class="h-captcha"></div><script>window.x = 1</script>`));

describe.skipIf(lacksChromium)("a rendered page is complete:", { concurrent: true }, () => {
  let site: FixtureSite;
  let browser: TestBrowser;
  beforeAll(async () => {
    site = await startSite({ ...pages, ...challenges });
    browser = openTestBrowser({ allow: `127.0.0.1:${site.port}`, concurrency: 5 });
    await browser.read(`${site.url}/static`);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  const read = (path: string, options: Record<string, unknown> = {}, more: object = {}) =>
    browser.read(`${site.url}${path}`, options, more);
  const textOf = async (path: string, options: Record<string, unknown> = {}) =>
    (await read(path, options)).body.toString();
  const countOf = (text: string, word: RegExp) => text.match(word)?.length ?? 0;

  describe("what loads late", () => {
    it.each(["/sections", "/inner"])("is there because all of the page was shown: %s", async (path) => {
      const text = await textOf(path);
      for (const n of [1, 2, 3]) expect(text).toContain(`late words ${n}`);
    });

    it("in a list that grows is followed for a few screens", async () => {
      const items = countOf(await textOf("/list"), /item \d+</g);
      // More than it begins with; how many more there is time for is up to the machine.
      expect(items).toBeGreaterThanOrEqual(20);
      expect(items).toBeLessThanOrEqual(150);
    });

    it("is read by our functions, whatever the page made of the built-in ones", async () => {
      const text = await textOf("/redefined");
      expect(text).toContain("seen all the same");
      expect(text).not.toContain("</div>REDEFINED");
    });

    it.each(["/endless", "/restless"])("has an end on a page that has none: %s", async (path) => {
      const { body } = await read(path);
      expect(body.length).toBeLessThan(1024 * 1024);
    });

    it("leaves the picture of the window at the top of the page, where it was", async () => {
      const [scrolled, still] = [
        await read("/top", {}, { screenshots: [{ fullPage: false }] }),
        await read("/top", { waitFor: 1 }, { screenshots: [{ fullPage: false }] }),
      ];
      expect(scrolled.body.toString()).toContain("<title>scrolled</title>");
      expect(scrolled.screenshots[0]?.equals(still.screenshots[0] ?? Buffer.alloc(0))).toBe(true);
    });
  });

  it("closed shadow roots are written where they are shown, and stay closed for the page", async () => {
    const text = await textOf("/closed");
    for (const words of ["closed words", "slotted", "closed within closed", "closed in a frame"]) {
      expect(text).toContain(words);
    }
    expect(text).toContain("STILL CLOSED");
    expect(text).not.toMatch(/<\/script>\s*(OPENED|STILL CLOSEDNOTICED)/);
  });

  it("closed shadow roots that are declared in the HTML are written where they are shown, too", async () => {
    const text = await textOf("/written");
    for (const words of ["written and closed", "slotted", "written within it", "STILL CLOSED"])
      expect(text).toContain(words);
    expect(text).toMatch(/written\s+in a frame/);
    expect(text.indexOf("slotted")).toBeGreaterThan(text.indexOf("written and closed"));
    expect(text.indexOf("slotted")).toBeLessThan(text.indexOf("written within it"));
  });

  describe("a dialog that asks for consent", () => {
    it.each([
      ["OneTrust", "/onetrust", "said no"],
      ["Cookiebot, which is told by its own program", "/cookiebot", "withdrawn"],
      ["Didomi", "/didomi", "said no"],
    ])("of %s is refused by the rules that know it", async (_maker, path, answer) => {
      const text = await textOf(path);
      expect(text).toContain(answer);
      expect(text).not.toContain("said yes ");
      expect(text).not.toMatch(/class="dialog"/);
    });

    it("that takes no refusal is accepted", async () => {
      const text = await textOf("/only-yes");
      expect(text).toContain("said yes");
      expect(text).not.toContain("cookie-bar");
    });

    it("is left alone when it asks for one's age, and when blockAds is off", async () => {
      const asksAge = await textOf("/age");
      expect(asksAge).toContain("18 years");
      expect(asksAge).not.toContain("</div> said old enough");
      expect(await textOf("/onetrust", { blockAds: false })).toContain("Lieber nicht");
    });

    it("that only pretends leads nowhere, and receives nothing of ours", async () => {
      const text = await textOf("/fake");
      expect(text).toContain("<p>Text</p>");
      expect(text).not.toContain("</script>HEARD");
    });
  });

  it("no service worker is between it and its site", async () => {
    expect(await textOf("/worker")).not.toContain('<p id="answer">controlled');
    expect(site.asked).not.toContain("/service.js");
  });

  it("what no output shows is not loaded, and the page does not notice", async () => {
    const text = await textOf("/parts");
    for (const words of ["picture is there", "shared too", "film is there", "fonts are ready"]) {
      expect(text.split("</script>")[1]).toContain(words);
    }
    const parts = ["/picture.png", "/shared.png", "/font.woff2", "/film.mp4"];
    expect(site.asked.filter((path) => parts.includes(path))).toEqual([]);
    await read("/parts", {}, { screenshots: [{ fullPage: false }] });
    expect(site.asked).toEqual(expect.arrayContaining(parts));
  });

  describe("a challenge that a browser passes by itself", () => {
    it.each(["/unnamed", "/named", "/refresh"])("is waited out: %s", async (path) => {
      const { status, body } = await read(path);
      expect([status, body.toString()]).toEqual([200, expect.stringContaining("The page that was asked for")]);
    });

    it("that leads nowhere, or needs a person, is what was found, in good time", async () => {
      const [walls, person] = await Promise.all([
        read("/never", { timeout: 20_000 }),
        read("/person", { timeout: 20_000 }),
      ]);
      expect([walls.status, person.status]).toEqual([403, 403]);
      expect(walls.body.toString()).toContain("Access denied");
    });
  });
});
