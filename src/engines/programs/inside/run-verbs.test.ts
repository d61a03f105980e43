// The verbs of `agent-browser` on a real session's page, in this process; test/browser/programs.test.ts shows what the sandbox adds.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser } from "../../../../test/support/browser.ts";
import type { FixtureSite } from "../../../../test/support/fixture-site.ts";
import { startRenderedSite } from "../../../../test/support/rendered-site.ts";
import { type BrowserSession, readVerbLines, type SessionMemory } from "../../index.ts";
import { openProgramSession, type ProgramSession } from "./program-session.ts";
import { runVerbs } from "./run-verbs.ts";

describe.skipIf(lacksChromium)("verbs", () => {
  let site: FixtureSite;
  let browser: TestBrowser;
  let session: BrowserSession;
  beforeAll(async () => {
    site = await startRenderedSite({
      "/links": `<!doctype html><title>Links</title><h1>Links</h1><p>Some words.</p><a href="/form">To the form</a>
        <label>Fruit <input id="fruit" value="pear"></label><button disabled>Off</button>`,
      "/opener": `<!doctype html><title>Opener</title><a href="/links" target="_blank">to the links</a><p id="log"></p>
        <button id="sign" onclick="window.open('/sign-in')">sign in</button>`,
      "/work": `<!doctype html><title>Work</title><label>Fruit <input id="fruit"></label><input placeholder="Search">
        <label><input id="agree" type="checkbox"> Agree</label><select id="size"><option value="S">Small<option value="L">Large</select>
        <button onclick="log.textContent = 'saved ' + fruit.value">Save</button><button>Save all</button><p id="log"></p>
        <p data-testid="total">Total 5</p><ul><li>One<li>Two<li>Three</ul><a id="link" href="/links">link</a><p id="hidden" hidden>x</p>
        <button id="off" disabled>Off</button><p id="twice" ondblclick="this.textContent='twice'">Click twice</p>
        <p id="over" onmouseover="this.textContent='over'">Point</p><input id="file" type="file">
        <button id="ask" onclick="this.textContent = prompt('Who?')">Ask</button><iframe srcdoc="<h1>Inside</h1>"></iframe>
        <p id="bottom" style="margin-top:3000px">Bottom</p><script>window.ready = true</script>`,
      "/sign-in": `<!doctype html><title>Sign in</title>
        <button id="in" onclick="opener.log.textContent = 'signed in'; window.close()">in</button>`,
    });
    browser = openTestBrowser({ allow: `127.0.0.1:${site.port}` });
    const opened = await browser.openSession({ id: "test", signal: AbortSignal.timeout(60_000) });
    if (!opened.ok) throw new Error(opened.message);
    session = opened.session;
  });
  afterAll(async () => {
    await session.close();
    await browser.close();
    await site.close();
  });

  async function look<Value>(at: (opened: ProgramSession) => Promise<Value>): Promise<Value> {
    const opened = await openProgramSession(session.devtoolsSocket, 60_000, undefined);
    try {
      return await at(opened);
    } finally {
      await opened.browser.close();
    }
  }

  async function verbs(text: string, memory: SessionMemory = {}, timeoutMs = 60_000) {
    const commands = readVerbLines(text);
    if (commands === null) throw new Error(`these are no verbs: ${text}`);
    const opened = await openProgramSession(session.devtoolsSocket, timeoutMs, memory.pageId);
    const said = { stdout: "", stderr: "" };
    const collectors = (["stdout", "stderr"] as const).map((stream) =>
      vi.spyOn(process[stream], "write").mockImplementation((line) => {
        said[stream] += line;
        return true;
      }),
    );
    try {
      const answer = await runVerbs({ kind: "verbs", commands }, opened, memory, timeoutMs);
      return { ...answer, memory: answer.memory ?? {}, ...said, exitCode: Number(process.exitCode) };
    } finally {
      for (const collector of collectors) collector.mockRestore();
      process.exitCode = undefined;
      await opened.browser.close();
    }
  }

  it("opens a page and reads it", async () => {
    const answer = await verbs(`agent-browser open ${site.url}/form && agent-browser get title`);
    expect(answer).toMatchObject({ stdout: "Form\n", result: "Form", stderr: "", exitCode: 0 });
    const parts = ["url", "text h1", "html ul", "html"];
    const { stdout, result } = await verbs(parts.map((part) => `agent-browser get ${part}`).join("; "));
    expect(stdout).toContain(`${site.url}/form\nForm\n`);
    expect(stdout).toContain('<li class="item"');
    expect(result).toContain("<title>Form</title>");
  });

  it("types, fills, clicks and presses", async () => {
    const answer = await verbs(`agent-browser open ${site.url}/form
      agent-browser fill '#name' 'Ada'
      agent-browser type '#name' ' L.'
      agent-browser click '#add'
      agent-browser press Escape
      agent-browser wait '#arrived'
      agent-browser wait 10
      agent-browser get text '#log'
      agent-browser get text '#keys'`);
    expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Ada L.;") });
    expect(answer.result).toContain("Escape");
  });

  it("says of an element that is not there, or is disabled, what is wrong", async () => {
    await verbs(`agent-browser open ${site.url}/links`);
    const clicks = ["'#none'", "button", "'##'"].map((where) => `agent-browser click ${where}`);
    const { stderr } = await verbs(clicks.join("; "), {}, 3000);
    expect(stderr.split("\n").slice(0, 3)).toEqual([
      "click #none: no matching element became usable in time",
      "click button: the element is disabled",
      "click ##: the selector is invalid",
    ]);
  });

  it("goes back and scrolls", async () => {
    const answer = await verbs(
      `agent-browser open ${site.url}/links; agent-browser open ${site.url}/tall; agent-browser scroll down 500`,
    );
    expect(answer.exitCode).toBe(0);
    expect(await look(({ page }) => page.evaluate("scrollY"))).toBe(500);
    expect((await verbs("agent-browser back && agent-browser get title")).result).toBe("Links");
  });

  it("goes on in the window that a click opens, for later requests too, and back when it closes itself", async () => {
    const opened = await verbs(
      `agent-browser open ${site.url}/opener && agent-browser click a && agent-browser get title`,
    );
    expect(opened).toMatchObject({ exitCode: 0, result: "Links" });
    const { memory } = opened;
    expect((await verbs("agent-browser get title", memory)).result).toBe("Links");
    const closed = await verbs("agent-browser open about:blank; agent-browser get url", memory);
    expect(closed.result).toBe(`${site.url}/links`);
    const back = await verbs(
      `agent-browser open ${site.url}/opener; agent-browser click '#sign'; agent-browser click '#in' && agent-browser get text '#log'`,
      memory,
    );
    expect(back).toMatchObject({ exitCode: 0, result: "signed in" });
    const split = await verbs("agent-browser click '#sign'", back.memory);
    const end = await verbs("agent-browser click '#in'; agent-browser get url", split.memory);
    expect(end).toMatchObject({ exitCode: 0, stderr: "", result: `${site.url}/opener` });
    await look(async ({ context }) =>
      Promise.all(
        context
          .pages()
          .slice(1)
          .map((each) => each.close()),
      ),
    );
  });

  it("shows what is there with refs, which the next request can use", async () => {
    const answer = await verbs(`agent-browser open ${site.url}/links && agent-browser snapshot`);
    expect(answer.stdout.split("\n")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/- heading "Links" \[level=1\] \[ref=e\d+\]/),
        expect.stringMatching(/- text: Some words\./),
        expect.stringMatching(/- link "To the form" \[ref=e\d+\]/),
        expect.stringMatching(/- textbox "Fruit" \[ref=e\d+\] : pear/),
        expect.stringMatching(/- button "Off" \[disabled\] \[ref=e\d+\]/),
      ]),
    );
    const refOf = (what: RegExp) => `@${what.exec(answer.stdout)?.[1]}`;
    const link = refOf(/link "To the form" \[ref=(e\d+)\]/);
    const fruit = refOf(/textbox "Fruit" \[ref=(e\d+)\]/);
    const { memory } = answer;
    expect((await verbs(`agent-browser fill ${fruit} apple && agent-browser get html`, memory)).exitCode).toBe(0);
    expect(await look(({ page }) => page.inputValue("#fruit"))).toBe("apple");
    expect(await look(({ page }) => page.content())).not.toContain("data-agent-ref");
    const click = await verbs(
      `agent-browser click ${link} && agent-browser wait '#name' && agent-browser get title`,
      memory,
    );
    expect(click).toMatchObject({ result: "Form", exitCode: 0 });
    const stale = await verbs(`agent-browser click ${link}`, memory);
    expect(stale).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("take a new one") });
    expect((await verbs("agent-browser snapshot -i")).stdout).not.toContain("heading");
  });

  it("stops at a failure behind && and goes on behind ;", async () => {
    const failing = "agent-browser click '#nowhere'";
    const stopped = await verbs(
      `agent-browser open ${site.url}/form && agent-browser dance && agent-browser get title`,
    );
    expect(stopped).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("unknown verb") });
    const run = verbs(`${failing}; agent-browser get title`, {}, 3000);
    expect(await run).toMatchObject({
      exitCode: 0,
      result: "Form",
      stderr: expect.stringContaining("click #nowhere"),
    });
  });

  it("opens nothing but http and https URLs", async () => {
    const others = ["file:///etc/passwd", "chrome://version", "javascript:alert(1)"];
    const answer = await verbs(others.map((url) => `agent-browser open '${url}'`).join("; "));
    expect(answer.exitCode).toBe(1);
    expect(answer.stderr.match(/only http and https URLs/g)).toHaveLength(3);
  });

  it("finds elements by what a person sees, and does nothing where several fit", async () => {
    const open = `agent-browser open ${site.url}/work`;
    const answer = await verbs(`${open}
      agent-browser find label 'Fruit' fill apple
      agent-browser find placeholder 'Search' type ' words'
      agent-browser find role button click --name Save --exact
      agent-browser find text 'Agree' check
      agent-browser find testid total text
      agent-browser find nth 1 li text
      agent-browser find first li text
      agent-browser find last li text
      agent-browser get text '#log'`);
    expect([answer.exitCode, answer.stderr]).toEqual([0, ""]);
    expect(answer.stdout).toBe("Total 5\nTwo\nOne\nThree\nsaved apple\n");
    const unsure = await verbs(`agent-browser find role button click; agent-browser get text '#log'`);
    expect(unsure.stderr).toMatch(/^find role: \d elements have role "button"/);
    expect(unsure.result).toBe("saved apple");
    const missing = await verbs("agent-browser find text 'Nowhere to be seen'", {}, 2000);
    expect(missing).toMatchObject({
      exitCode: 1,
      stderr: 'find text: nothing on the page has text "Nowhere to be seen"\n',
    });
    expect((await verbs("agent-browser find smell x")).stderr).toContain("find takes text, role");
  });

  it("evaluates, asks, chooses, checks, uploads and waits", async () => {
    const answer = await verbs(`agent-browser open ${site.url}/work
      agent-browser eval '({ answer: 6 * 7 })'
      agent-browser eval 'undefined'
      agent-browser select '#size' Large
      agent-browser get value '#size'
      agent-browser check '#agree' && agent-browser is checked '#agree'
      agent-browser uncheck '#agree' && agent-browser is checked '#agree'
      agent-browser is visible '#hidden' ; agent-browser is enabled '#off'
      agent-browser get attr '#link' href
      agent-browser get count li
      agent-browser get box '#link'
      agent-browser dblclick '#twice' && agent-browser get text '#twice'
      agent-browser hover '#over' && agent-browser get text '#over'
      agent-browser focus '#fruit' && agent-browser type pear && agent-browser get value '#fruit'
      agent-browser upload '#file' 'data:text/plain,hello' && agent-browser eval 'file.files[0].name'
      agent-browser scrollintoview '#bottom' && agent-browser eval 'scrollY > 0'
      agent-browser wait --load networkidle && agent-browser wait --text Total && agent-browser wait --fn 'window.ready'
      agent-browser wait --url '**/work'
      agent-browser set viewport 800 600 && agent-browser eval innerWidth`);
    expect([answer.exitCode, answer.stderr]).toEqual([0, ""]);
    const lines = answer.stdout.trimEnd().split("\n");
    expect(JSON.parse(lines[9] ?? "")).toHaveProperty("width");
    lines.splice(9, 1);
    expect(lines.join(" ")).toBe(
      '{"answer":42} null L true false false false /links 3 twice over pear "file" true 800',
    );
    const wrong = [
      "get attr '#link' nothing",
      "get box '#hidden'",
      "upload '#file' missing.txt",
      "wait --load soon",
      "is big x",
    ];
    const refused = await verbs(wrong.map((line) => `agent-browser ${line}`).join("; "), {}, 20_000);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr.trimEnd().split("\n")).toHaveLength(wrong.length);
  });

  it("answers dialogs, works in frames, and keeps cookies and storage", async () => {
    const answer = await verbs(`agent-browser open ${site.url}/work
      agent-browser click '#ask' ; agent-browser dialog accept Ada ; agent-browser get text '#ask'
      agent-browser click '#ask' ; agent-browser dialog dismiss ; agent-browser get text '#ask'
      agent-browser frame iframe && agent-browser get text h1 && agent-browser frame main && agent-browser get count h1
      agent-browser cookies set taste sweet && agent-browser eval document.cookie && agent-browser cookies clear
      agent-browser cookies
      agent-browser storage local set size big && agent-browser storage local
      agent-browser storage local clear && agent-browser storage local && agent-browser storage session`);
    expect([answer.exitCode, answer.stderr]).toEqual([0, ""]);
    expect(answer.stdout.trimEnd().split("\n")).toEqual([
      ...["Ada", "", "Inside", "0", '"taste=sweet"', "[]", '{"size":"big"}', "{}", "{}"],
    ]);
    const framed = await verbs("agent-browser frame iframe");
    expect((await verbs("agent-browser get text h1", framed.memory)).result).toBe("Inside");
  });

  it("goes forward, loads again, and has tabs, pictures and a PDF; close leaves one empty page", async () => {
    const answer = await verbs(`agent-browser open ${site.url}/links && agent-browser open ${site.url}/work
      agent-browser back && agent-browser forward && agent-browser reload && agent-browser get title
      agent-browser tab new ${site.url}/links && agent-browser tab
      agent-browser tab 0 && agent-browser get title && agent-browser tab 1 && agent-browser tab close
      agent-browser tab 7
      agent-browser pdf
      agent-browser close ; agent-browser get url ; agent-browser tab`);
    expect(answer.stderr).toBe("tab 7: there is no tab 7: there are 1, counted from 0\n");
    const lines = answer.stdout.trimEnd().split("\n");
    expect(lines).toEqual([
      "Work",
      expect.stringContaining(`  [0] Work ${site.url}/work`),
      expect.stringContaining(`* [1] Links ${site.url}/links`),
      "Work",
      "\0picture\0",
      "about:blank",
      "* [0]  about:blank",
    ]);
    expect(
      Buffer.from(answer.pictures?.[0] ?? "", "base64")
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    const unknown = await verbs("agent-browser dance");
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^dance: unknown verb; known verbs are back, .*find/),
    });
  });
});
