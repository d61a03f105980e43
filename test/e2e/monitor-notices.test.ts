// How monitors tell what they found: signed webhooks, email through a real SMTP server, and a feed.
import { createHmac } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { minuteMs } from "../../src/base/index.ts";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";
import { changingPage, createMonitor, runCheck } from "../support/monitors.ts";
import { startSite } from "../support/site-server.ts";

const secret = "a secret of webhooks";

interface Letter {
  from: string;
  to: string[];
  text: string;
}

async function openMailServer(letters: Letter[], refusals: { left: number }) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, done) =>
      username === "trawl" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong password")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusals.left > 0) {
          refusals.left -= 1;
          return done(new Error("try later"));
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const text = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "");
        letters.push({ from, to: rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise<void>((done) => void server.close(() => done())) };
}

describe.each(bystanders)("notices of monitors on $name", (engine) => {
  const letters: Letter[] = [];
  const refusals = { left: 0 };
  const clock = createMovableClock("2026-11-16T12:00:00Z");
  let mail: Awaited<ReturnType<typeof openMailServer>>;
  let app: TestApp;
  beforeAll(async () => {
    mail = await openMailServer(letters, refusals);
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

  it("are letters with the diff, in text and HTML", async () => {
    const watched = changingPage("Costs 9 <b>dollars</b>");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, {
      name: "Prices\r\nBcc: everyone@example.com",
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      notification: {
        email: { enabled: true, recipients: ["one@example.com", "two@example.com"], includeDiffs: true },
      },
    });
    const before = letters.length;
    await runCheck(app, id);
    await expect.poll(() => letters.length).toBe(before + 1);
    watched.set("Costs 12 &lt;script&gt;alert(1)&lt;/script&gt;");
    const check = await runCheck(app, id);
    await expect.poll(() => letters.length).toBe(before + 2);
    const letter = letters.at(-1);
    expect(letter).toMatchObject({ from: "trawl@example.com", to: ["one@example.com", "two@example.com"] });
    expect(letter?.text).toContain("Subject: [Trawl] Prices Bcc: everyone@example.com: 1 changed");
    expect(letter?.text).not.toMatch(/^Bcc:/m);
    expect(letter?.text).toContain("-Costs 9");
    expect(letter?.text).toContain("+Costs 12");
    const html = (letter?.text.slice(letter.text.indexOf("<!doctype")) ?? "").replaceAll("=3D", "=");
    expect(html).not.toContain("<script>");
    // It loads nothing, and leads to nothing but the page.
    expect(html).not.toMatch(/\bsrc=|url\(/);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([`${site.url}/a`]);
    const shown = () => app.get(`/v2/monitor/${id}/checks/${check.id}`);
    await expect.poll(async () => (await shown()).body.data.notificationStatus).toEqual({ email: "sent" });
    // Nothing new: no letter.
    await runCheck(app, id);
    expect(letters.length).toBe(before + 2);
  });

  it("are letters that are tried again until the mail server takes them, and given up in the end", async () => {
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, {
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      notification: { email: { enabled: true, recipients: ["one@example.com"] } },
    });
    const stateOf = async (checkId: string) =>
      (await app.get(`/v2/monitor/${id}/checks/${checkId}`)).body.data.notificationStatus?.email;
    const before = letters.length;
    refusals.left = 1;
    const first = await runCheck(app, id);
    await expect.poll(() => refusals.left).toBe(0);
    expect(await stateOf(first.id)).toBe("pending");
    expect(letters).toHaveLength(before);
    clock.advance(minuteMs);
    await expect.poll(() => letters.length).toBe(before + 1);
    await expect.poll(() => stateOf(first.id)).toBe("sent");
    // The same letter for every attempt.
    expect(letters.at(-1)?.text).toContain(`Message-ID: <check-${first.id}@example.com>`);

    refusals.left = 4;
    watched.set("Costs 12");
    const second = await runCheck(app, id);
    const stateLater = () => {
      clock.advance(10 * minuteMs);
      return stateOf(second.id);
    };
    await expect.poll(stateLater, { timeout: 60_000, interval: 300 }).toBe("failed");
    expect(refusals.left).toBe(0);
    expect(letters).toHaveLength(before + 1);
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
