// An agent that a model plans, at work in a real browser: it sees what can be used on a page, uses it, and reads what came of it.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentModel, inTurn, startAgentModel } from "../support/agent-model.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { runAgent } from "../support/extract.ts";
import { openSite, page } from "../support/jobs.ts";

const prompt = "Who founded the company?";
const schema = { type: "object", properties: { founder: { type: "string" } }, required: ["founder"] };

vi.setConfig({ testTimeout: 180_000 });

describe.skipIf(lacksChromium).each([anyEngine])("an agent with a model and a browser on $name", (engine) => {
  let app: TestApp;
  let model: AgentModel;
  beforeAll(async () => {
    model = await startAgentModel();
    app = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1,localhost",
      ...quickBrowser,
      ...model.env,
    });
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
  });

  it("lists what can be used on a page, uses it by its number, and answers what is there then", async () => {
    const canary = await openSite({ "/": page("Canary") });
    const elsewhere = canary.url.replace("127.0.0.1", "localhost");
    const site = await openSite({
      "/": `<main><h1>About us</h1><p>Tell us who asks, and read about the founder of our company.</p>
        <label>Your name <input id="name"></label>
        <button onclick="show()">Who founded us?</button><a href="${elsewhere}/">Other site</a><p id="out"></p></main>
        <script>function show() {
          document.querySelector("#out").textContent = document.querySelector("#name").value + ", it was Ada Lumen.";
        }</script>`,
    });
    const url = `${site.url}/`;
    model.play({
      step: inTurn(
        { tool: "act", urls: [url] },
        { tool: "act", urls: [url], actions: [{ type: "click", element: 99 }] },
        {
          tool: "act",
          urls: [url],
          actions: [
            { type: "write", element: 1, text: "Grace" },
            { type: "click", element: 2 },
          ],
        },
        { tool: "act", urls: [`${elsewhere}/`] },
      ),
      answer: () => ({ founder: "Ada Lumen" }),
    });
    const { id, ended } = await runAgent(app, { prompt, urls: [url], schema });
    expect(ended).toMatchObject({ status: "completed", data: { founder: "Ada Lumen" }, creditsUsed: 2 });

    const [first, second, , last] = model.steps.map(({ turns }) => turns[0] ?? "");
    expect(first).not.toContain("What can be clicked");
    expect(second).toMatch(/What can be clicked or filled on .*\n\n1 input Your name\n2 button Who founded us\?\nEND/);
    expect(last).toContain("Grace, it was Ada Lumen.");
    // Links are read by their addresses, and this one is of another site.
    expect(canary.asked).toEqual([]);

    const { events } = (await app.get(`/v2/agent/${id}/trace`)).body;
    const refused = events.filter(({ phase }: { phase?: string }) => phase === "working");
    expect(refused.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining("names no element"),
      expect.stringContaining("is not one of the URLs"),
    ]);
    const acts = events.filter(
      ({ type, toolName }: { type: string; toolName?: string }) => type === "tool_call.started" && toolName === "act",
    );
    expect(acts.at(-1).parameters.actions).toMatchObject([
      { type: "click", selector: "#name" },
      { type: "write", text: "Grace" },
      { type: "click" },
    ]);
  });

  // What follows is about the browser and its answers, not about what is stored.
  if (engine !== anyEngine) return;

  it("is told which action failed, and goes on", async () => {
    const site = await openSite({
      "/": `<main><h1>Lamps</h1><p>Press the button, then it is gone and the founder stands here.</p>
        <button id="once" onclick="this.replaceWith('Ada Lumen founded us.')">More</button></main>`,
    });
    const url = `${site.url}/`;
    const press = { type: "click", element: 1 };
    model.play({
      step: inTurn(
        { tool: "act", urls: [url] },
        { tool: "act", urls: [url], actions: [press, press] },
        { tool: "act", urls: [url], actions: [press] },
      ),
      answer: () => ({ founder: "Ada Lumen" }),
    });
    const { ended } = await runAgent(app, { prompt, urls: [url], schema, strictConstrainToURLs: true });
    expect(ended).toMatchObject({ status: "completed", data: { founder: "Ada Lumen" } });
    expect(model.steps[2]?.turns[0]).toContain("Action 1 (click");
  });
});
