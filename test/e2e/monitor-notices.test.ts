// How monitors tell what they found: signed webhooks, email through a real SMTP server, and a feed.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { minuteMs, newId } from "../../src/base/index.ts";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";
import { type Email, openMailServer } from "../support/mail-server.ts";
import { startModelApp } from "../support/models.ts";
import { changingPage, createMonitor, runCheck } from "../support/monitors.ts";
import { startSite } from "../support/site-server.ts";

const secret = "a secret of webhooks";

describe.each(bystanders)("notices of monitors on $name", (engine) => {
  const emails: Email[] = [];
  const refusals = { left: 0 };
  const clock = createMovableClock("2026-11-16T12:00:00Z");
  let mail: Awaited<ReturnType<typeof openMailServer>>;
  let app: TestApp;
  beforeAll(async () => {
    mail = await openMailServer(emails, refusals);
    const env = {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      WEBHOOK_SECRET: secret,
      SMTP_URL: `smtp://trawl:p%40ss@127.0.0.1:${mail.port}`,
      MAIL_FROM: "Trawl <trawl@example.com>",
    };
    app = await startApp(engine, env, clock);
  });
  afterAll(async () => {
    await app.stop();
    await mail.close();
  });

  it("are webhooks, signed: one for each page, then one for the end", async () => {
    const received: { headers: Record<string, unknown>; text: string }[] = [];
    const receiver = await startSite(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      received.push({ headers: request.headers, text });
      response.writeHead(200).end();
    });
    onTestFinished(() => receiver.close());
    const watched = changingPage("Costs 9");
    const site = await openSite({
      "/a": watched.handler,
      "/gone": (_request, response) => response.writeHead(500).end(),
    });
    const id = await createMonitor(app, {
      targets: [{ type: "scrape", urls: [`${site.url}/a`, `${site.url}/gone`] }],
      webhook: { url: `${receiver.url}/hook`, metadata: { run: "7" } },
    });
    const check = await runCheck(app, id);
    expect(check).toMatchObject({ status: "partial", summary: { new: 1, error: 1 } });
    await expect.poll(() => received.length).toBe(3);
    const bodies = received.map(({ text }) => JSON.parse(text));
    expect(bodies.map(({ type }) => type)).toEqual(["monitor.page", "monitor.page", "monitor.check.completed"]);
    const about = { monitorId: id, checkId: check.id };
    const pages = new Map(bodies.slice(0, 2).map((body) => [body.data[0].status, body]));
    expect(pages.get("new")).toMatchObject({
      success: true,
      id: check.id,
      data: [{ ...about, url: `${site.url}/a`, isMeaningful: true, currentScrapeId: expect.any(String) }],
      metadata: { run: "7" },
    });
    expect(pages.get("error")).toMatchObject({ success: false, error: expect.stringContaining("500"), data: [about] });
    expect(bodies[2]).toMatchObject({
      success: false,
      data: [{ ...about, status: "partial", summary: { totalPages: 2, new: 1, error: 1 } }],
    });
    for (const { headers, text } of received) {
      const signature = `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
      expect(headers["x-firecrawl-signature"]).toBe(signature);
    }
  });

  const token = (message: Email | undefined, action: string) =>
    new RegExp(`/monitoring/email/${action}\\?token=([\\w.-]+)`).exec(
      message?.text.replaceAll("=3D", "=") ?? "",
    )?.[1] ?? "none";
  const emailsTo = (email: string) => emails.filter(({ to }) => to.includes(email));
  const subscriptionsOf = async (id: string) =>
    (await app.get(`/v2/monitor/${id}`)).body.data.emailRecipientSubscriptions;
  const change = (action: string, body: object) => app.call("POST", `/v2/monitor/email/${action}`, { key: null, body });

  /** Whose emails about checks need no consent. */
  async function addMember(email: string): Promise<void> {
    const id = newId();
    await app.store.people.insert({ id, name: email, createdAt: clock.now() });
    await app.store.people.setPassword(id, email, "unused");
    const team = await app.accounts.teams.findOrCreate(app.team);
    await app.store.people.join(team.id, id, "member", clock.now());
  }

  it("are emails with the diff, in text and HTML, one for each recipient", async () => {
    for (const email of ["one@example.com", "two@example.com"]) await addMember(email);
    const watched = changingPage("Costs 9 <b>dollars</b>");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, {
      name: "Prices\r\nBcc: everyone@example.com",
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      notification: {
        email: { recipients: ["One@example.com", "two@example.com", "ONE@example.com"], includeDiffs: true },
      },
    });
    expect((await app.get(`/v2/monitor/${id}`)).body.data.notification.email.enabled).toBe(true);
    const team = { status: "confirmed", source: "team" };
    expect(await subscriptionsOf(id)).toEqual([
      { email: "one@example.com", ...team },
      { email: "two@example.com", ...team },
    ]);
    expect((await app.get("/v2/monitor")).body.data[0]).not.toHaveProperty("emailRecipientSubscriptions");
    const before = emails.length;
    await runCheck(app, id);
    await expect.poll(() => emails.length).toBe(before + 2);
    watched.set("Costs 12 &lt;script&gt;alert(1)&lt;/script&gt;");
    const check = await runCheck(app, id);
    await expect.poll(() => emails.length).toBe(before + 4);
    const [message, other] = emails.slice(-2);
    expect(message).toMatchObject({ from: "trawl@example.com", to: ["one@example.com"] });
    expect(other?.to).toEqual(["two@example.com"]);
    expect(message?.text).toContain("Subject: [Trawl] Prices Bcc: everyone@example.com: 1 changed");
    expect(message?.text).not.toMatch(/^Bcc:/m);
    expect(message?.text).toContain("-Costs 9");
    expect(message?.text).toContain("+Costs 12");
    const html = (message?.text.slice(message.text.indexOf("<!doctype")) ?? "").replaceAll("=3D", "=");
    expect(html).not.toContain("<script>");
    // It loads nothing, and leads to nothing but the page and the end of such emails.
    expect(html).not.toMatch(/\bsrc=|url\(/);
    const unsubscribe = new RegExp(`^${app.url}/monitoring/email/unsubscribe\\?token=[\\w.-]{80,}$`);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      `${site.url}/a`,
      expect.stringMatching(unsubscribe),
    ]);
    const [, listed] = /^List-Unsubscribe:\s*<([^>]*)>/im.exec(message?.text ?? "") ?? [];
    expect(listed).toMatch(unsubscribe);
    expect(message?.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const shown = () => app.get(`/v2/monitor/${id}/checks/${check.id}`);
    await expect.poll(async () => (await shown()).body.data.notificationStatus).toEqual({ email: "sent" });
    // Nothing new: no message.
    await runCheck(app, id);
    expect(emails.length).toBe(before + 4);
    // As readers of mail do it.
    const oneClick = await app.call("POST", (listed ?? "").slice(app.url.length), {
      ...{ key: null, body: "List-Unsubscribe=One-Click" },
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([oneClick.status, oneClick.text.includes("one@example.com gets no more email")]).toEqual([200, true]);
    expect(await subscriptionsOf(id)).toMatchObject([{ status: "unsubscribed" }, { status: "confirmed" }]);
    watched.set("Costs 15");
    await runCheck(app, id);
    await expect.poll(() => emails.length).toBe(before + 5);
    expect(emails.at(-1)?.to).toEqual(["two@example.com"]);
  });

  it("are emails about pages in error too, with the reason and no internals", async () => {
    await addMember("alert@example.com");
    const closed = await openSite({});
    await closed.close();
    const site = await openSite({
      "/gone": (_request, response) => response.writeHead(500).end("at work (/srv/app.js:7)"),
    });
    const id = await createMonitor(app, {
      targets: [{ type: "scrape", urls: [`${site.url}/gone`, `${closed.url}/a`] }],
      notification: { email: { recipients: ["alert@example.com"] } },
    });
    const check = await runCheck(app, id);
    expect(check.summary).toMatchObject({ error: 2, new: 0 });
    await expect.poll(() => emailsTo("alert@example.com")).toHaveLength(1);
    const [message] = emailsTo("alert@example.com");
    expect(message?.text).toContain("2 error");
    expect(message?.text).toContain("The page's server answered 500.");
    const reason = check.pages.find(({ url }: { url: string }) => url.startsWith(closed.url)).error;
    expect(message?.text).toContain(reason.slice(0, 30));
    expect(message?.text).not.toMatch(/srv\/app|^\s+at /m);
  });

  it("of an outsider wait for consent, which one email asks for, and end when they are no longer wanted", async () => {
    const email = "outsider@example.org";
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const notification = { email: { recipients: ["Outsider@example.org"] } };
    const targets = [{ type: "scrape", urls: [`${site.url}/a`] }];
    const id = await createMonitor(app, { name: "Prices", targets, notification });
    const pending = { email, status: "pending", source: "opt_in" };
    await expect.poll(() => subscriptionsOf(id)).toEqual([{ ...pending, confirmationEmailSent: true }]);
    const first = await runCheck(app, id);
    const mailOf = async () => (await app.get(`/v2/monitor/${id}/checks/${first.id}`)).body.data.notificationStatus;
    await expect.poll(mailOf).toEqual({ email: "none" });
    const asked = emailsTo(email);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.text).toContain("Subject: [Trawl] Confirm email from the monitor Prices");
    expect(asked[0]?.text).not.toContain("List-Unsubscribe");
    expect(asked[0]?.text).not.toContain(site.url);

    // Removed and named again: the old state holds, and no address is asked twice.
    const update = (body: object) => app.call("PATCH", `/v2/monitor/${id}`, { body });
    expect((await update({ notification: null })).body.data).not.toHaveProperty("emailRecipientSubscriptions");
    const named = await update({ notification });
    expect(named.body.data.emailRecipientSubscriptions).toEqual([{ ...pending, confirmationEmailSent: true }]);

    const link = `/monitoring/email/confirm?token=${token(asked[0], "confirm")}`;
    const opened = await app.get(link, { key: null });
    expect([opened.status, opened.text.includes('<form method="post">')]).toEqual([200, true]);
    expect(opened.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(await subscriptionsOf(id)).toMatchObject([{ status: "pending" }]);
    const sent = { token: token(asked[0], "confirm") };
    const confirmed = await change("confirm", sent);
    expect(confirmed.body).toEqual({ success: true, result: "confirmed", email, monitorName: "Prices" });
    expect((await change("confirm", sent)).body.result).toBe("already_confirmed");
    watched.set("Costs 12");
    await runCheck(app, id);
    await expect.poll(() => emailsTo(email)).toHaveLength(2);

    const given = { token: token(emailsTo(email)[1], "unsubscribe") };
    expect((await change("unsubscribe", given)).body.result).toBe("unsubscribed");
    expect((await change("unsubscribe", given)).body.result).toBe("already_unsubscribed");
    expect((await change("confirm", sent)).body.result).toBe("already_unsubscribed");
    expect((await app.call("POST", link, { key: null })).text).toContain("has unsubscribed");
    expect((await update({ notification })).body.data.emailRecipientSubscriptions).toMatchObject([
      { email, status: "unsubscribed" },
    ]);
    await app.call("DELETE", `/v2/monitor/${id}`);
    expect((await change("confirm", sent)).status).toBe(404);
  });

  it("are refused to links that no email has", async () => {
    for (const action of ["confirm", "unsubscribe"]) {
      const none = await change(action, {});
      expect([none.status, none.body.error]).toEqual([400, "invalid_token"]);
      const unknown = await change(action, { token: "v1.made-up" });
      expect([unknown.status, unknown.body.error]).toEqual([404, "not_found"]);
      for (const path of [`/monitoring/email/${action}`, `/monitoring/email/${action}?token=made-up`]) {
        const { status, text } = await app.call("POST", path, { key: null });
        expect([status, text.includes("This link is not valid")]).toEqual([404, true]);
      }
    }
  });

  it("go to the team's members where no recipient is named, and to those of monitors from before consent", async () => {
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const targets = [{ type: "scrape", urls: [`${site.url}/a`] }];
    const body = { name: "Other", schedule: { cron: "0 0 1 1 *" }, targets, notification: { email: {} } };
    const lonely = await app.call("POST", "/v2/monitor", { body, key: app.otherKey });
    expect([lonely.status, lonely.body.warning]).toMatchObject([200, expect.stringContaining("no member of the team")]);

    await addMember("Default@Example.com");
    const id = await createMonitor(app, { targets, notification: { email: {} } });
    expect((await app.get(`/v2/monitor/${id}`)).body.data).not.toHaveProperty("emailRecipientSubscriptions");
    const check = await runCheck(app, id);
    const stateOf = async () => (await app.get(`/v2/monitor/${id}/checks/${check.id}`)).body.data.notificationStatus;
    await expect.poll(stateOf).toEqual({ email: "sent" });
    expect(emailsTo("default@example.com")).toHaveLength(1);

    const outside = { email: { recipients: ["early@example.org"] } };
    const fresh = await createMonitor(app, { targets, notification: outside });
    await expect.poll(() => emailsTo("early@example.org")).toHaveLength(1);
    const row = await app.store.monitors.read(fresh);
    const early = newId();
    if (row) await app.store.monitors.insert({ ...row, id: early });
    expect(await subscriptionsOf(early)).toEqual([
      { email: "early@example.org", status: "confirmed", source: "legacy" },
    ]);
    await app.call("PATCH", `/v2/monitor/${early}`, { body: { notification: { email: { recipients: [] } } } });
    await app.call("PATCH", `/v2/monitor/${early}`, { body: { notification: outside } });
    expect(await subscriptionsOf(early)).toMatchObject([{ status: "confirmed", source: "legacy" }]);
  });

  it("are emails that are tried again until the mail server takes them, and given up in the end", async () => {
    await addMember("patient@example.com");
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, {
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      notification: { email: { enabled: true, recipients: ["patient@example.com"] } },
    });
    const stateOf = async (checkId: string) =>
      (await app.get(`/v2/monitor/${id}/checks/${checkId}`)).body.data.notificationStatus?.email;
    const before = emails.length;
    refusals.left = 1;
    const first = await runCheck(app, id);
    await expect.poll(() => refusals.left).toBe(0);
    expect(await stateOf(first.id)).toBe("pending");
    expect(emails).toHaveLength(before);
    clock.advance(minuteMs);
    await expect.poll(() => emails.length).toBe(before + 1);
    await expect.poll(() => stateOf(first.id)).toBe("sent");
    // The same message for every attempt.
    expect(emails.at(-1)?.text).toMatch(new RegExp(`Message-ID:\\s+<check-${first.id}\\.[0-9a-f]{12}@example\\.com>`));

    refusals.left = 4;
    watched.set("Costs 12");
    const second = await runCheck(app, id);
    const stateLater = () => {
      clock.advance(10 * minuteMs);
      return stateOf(second.id);
    };
    await expect.poll(stateLater, { interval: 300 }).toBe("failed");
    expect(refusals.left).toBe(0);
    expect(emails).toHaveLength(before + 1);
  });

  if (engine === anyEngine)
    it("are no emails about changes that the judge takes for noise, and one about those that matter", async () => {
      const model = await startModelApp(engine, {
        SMTP_URL: `smtp://trawl:p%40ss@127.0.0.1:${mail.port}`,
        ...{ MAIL_FROM: "trawl@example.com", MONITOR_MAIL_CONFIRM: "0" },
      });
      onTestFinished(() => model.stop());
      const isNews = ({ turns }: { turns: string[] }) => turns.join(" ").includes("12 dollars");
      model.script((asked) => ({
        json: { meaningful: isNews(asked), confidence: "sure", reason: "About the price." },
      }));
      const watched = changingPage("The lamp costs 9 dollars.");
      const site = await openSite({ "/a": watched.handler });
      const id = await createMonitor(model.app, {
        goal: "alert when a price changes",
        targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
        notification: { email: { recipients: ["judge@example.org"] } },
      });
      await runCheck(model.app, id);
      await expect.poll(() => emailsTo("judge@example.org")).toHaveLength(1);
      watched.set("The lamp costs nine dollars.");
      const noise = await runCheck(model.app, id);
      expect(noise).toMatchObject({ summary: { changed: 1 } });
      expect(noise.pages[0].judgment).toMatchObject({ meaningful: false, confidence: "low", meaningfulChanges: [] });
      const stateOf = async () =>
        (await model.app.get(`/v2/monitor/${id}/checks/${noise.id}`)).body.data.notificationStatus;
      await expect.poll(stateOf).toEqual({ email: "none" });
      watched.set("The lamp costs 12 dollars.");
      await runCheck(model.app, id);
      await expect.poll(() => emailsTo("judge@example.org")).toHaveLength(2);
      expect(emailsTo("judge@example.org")[1]?.text).toContain("About the price.");
    });

  it("go to everybody at once where the operator asks for no consent", async () => {
    const env = {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      SMTP_URL: `smtp://trawl:p%40ss@127.0.0.1:${mail.port}`,
      ...{ MAIL_FROM: "trawl@example.com", MONITOR_MAIL_CONFIRM: "0" },
    };
    const open = await startApp(engine, env, clock);
    onTestFinished(() => open.stop());
    const site = await openSite({ "/a": changingPage("Costs 9").handler });
    const notification = { email: { recipients: ["anybody@example.org"] } };
    const id = await createMonitor(open, { targets: [{ type: "scrape", urls: [`${site.url}/a`] }], notification });
    const { emailRecipientSubscriptions } = (await open.get(`/v2/monitor/${id}`)).body.data;
    expect(emailRecipientSubscriptions).toMatchObject([{ email: "anybody@example.org", status: "confirmed" }]);
    await runCheck(open, id);
    await expect.poll(() => emailsTo("anybody@example.org")).toHaveLength(1);
    expect(emailsTo("anybody@example.org")[0]?.text).toContain("1 new");
  });

  it("are an Atom feed whose token is its key", async () => {
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, { name: "A & B", targets: [{ type: "scrape", urls: [`${site.url}/a`] }] });
    await runCheck(app, id);
    watched.set("Costs 12 ]]&gt; &lt;b&gt;");
    await runCheck(app, id);
    const { feedUrl } = (await app.get(`/v2/monitor/${id}`)).body.data;
    const path = feedUrl.slice(app.url.length);
    const asked = site.asked.length;
    const feed = await app.get(path, { key: null });
    // Whoever reads it makes this server send no request.
    expect(site.asked).toHaveLength(asked);
    expect([feed.status, feed.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    expect(feed.text).toContain("<title>A &amp; B</title>");
    expect(feed.text.match(/<entry>/g)).toHaveLength(2);
    expect(feed.text).toContain(`<title>changed: ${site.url}/a</title>`);
    expect(feed.text).toContain("+Costs 12");
    expect(feed.text).not.toContain("<b>");
    const wrong = await app.get(`${path.slice(0, -3)}abc`, { key: null });
    expect([wrong.status, wrong.body.code]).toEqual([404, "MONITOR_NOT_FOUND"]);
    await app.call("DELETE", `/v2/monitor/${id}`);
    expect((await app.get(path, { key: null })).status).toBe(404);
  });

  it("never go to hosts that are not allowed, and never by caller's words elsewhere than to the mail server", async () => {
    const body = {
      name: "n",
      schedule: { text: "daily" },
      targets: [{ type: "scrape", urls: ["https://example.com"] }],
    };
    const create = (more: object) => app.call("POST", "/v2/monitor", { body: { ...body, ...more } });
    const webhook = await create({ webhook: "http://169.254.169.254/latest" });
    expect([webhook.status, webhook.body.details[0].path]).toEqual([403, ["webhook", "url"]]);
    const target = await create({ targets: [{ type: "scrape", urls: ["http://10.0.0.1/"] }] });
    expect([target.status, target.body.details[0].path]).toEqual([403, ["targets", "0", "urls", 0]]);
    for (const recipient of [
      "a@b.example\r\nBcc: c@d.example",
      "A <a@b.example>",
      "a@b.example,c@d.example",
      "nobody",
    ]) {
      const { status, body: answer } = await create({ notification: { email: { recipients: [recipient] } } });
      expect([status, answer.details[0].path]).toEqual([400, ["notification", "email", "recipients", 0]]);
    }
  });
});
