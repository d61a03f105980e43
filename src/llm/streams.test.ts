// Answers that are streamed: continued where the stream breaks, stopped where it outgrows its bound, left at once when the
// caller has gone; and services that do not stream.
import { describe, expect, it } from "vitest";
import { openModel, question, right } from "../../test/support/loopback-model.ts";
import { createAllowance } from "./budget.ts";

const protocols = ["openai", "anthropic", "google"] as const;
const whole = JSON.stringify(right);
/** What a stream has said before the event at this place: pieces of six characters after the first events. */
const saidBefore = { openai: 1, anthropic: 2, google: 0 };

describe("a streamed answer", () => {
  it.each(protocols)("of %s is put together, with its tokens", async (protocol) => {
    const { model, asked } = await openModel(() => ({ json: right }), { protocol });
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right, tokens: { input: 100, output: 1 } });
    expect(await model.ask(question())).toMatchObject({ ok: true, text: whole, isCutOff: false });
    expect(asked.map(({ isStreamed }) => isStreamed)).toEqual([true, true]);
    if (protocol === "openai") expect(asked[0]?.body.stream_options).toEqual({ include_usage: true });
  });

  it("of a service that does not count has estimated tokens", async () => {
    const { model, counted } = await openModel(() => ({ json: right, hasNoUsage: true }));
    const answer = await model.fill(question());
    expect(answer).toMatchObject({ ok: true, value: right });
    expect(answer.tokens.input).toBeGreaterThan(0);
    expect(answer.tokens.output).toBe(Math.ceil(whole.length / 4));
    expect(counted.get("t1")).toBe(answer.tokens.input + answer.tokens.output);
  });

  it.each(protocols)("of %s that breaks in the middle goes on where it ended", async (protocol) => {
    const at = saidBefore[protocol] + 3;
    const said = whole.slice(0, 18);
    const { model, asked } = await openModel(
      (_, index) => (index === 0 ? { json: right, breaksAt: at } : { text: whole.slice(18) }),
      { protocol },
    );
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right, isRepaired: true, isPartial: false });
    expect(asked[1]?.turns.slice(1)).toEqual([said, expect.stringContaining("Go on exactly where it ended")]);
  });

  it("in a tool's call that breaks in the middle goes on, too", async () => {
    const { model, asked } = await openModel(({ way }, index) => {
      if (way === "json_schema") return { status: 400, error: "no" };
      return index === 1 ? { json: right, breaksAt: 4 } : { text: whole.slice(18) };
    });
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right, mode: "tool_call" });
    expect(asked[2]?.turns[1]).toBe(whole.slice(0, 18));
  });

  it("in words that breaks, or ends without saying so, goes on as well", async () => {
    const words = "The lamp is made of glass and brass.";
    const { model, asked } = await openModel((_, index) => {
      if (index === 0) return { text: words, breaksAt: 3 };
      return index === 1 ? { text: words.slice(12), endsAt: 3 } : { text: words.slice(24) };
    });
    expect(await model.ask(question())).toMatchObject({ ok: true, text: words, isCutOff: false });
    expect(asked.length).toBe(3);
  });

  it("that breaks again and again keeps what was whole, and says that it is partial", async () => {
    const { model, asked, counted } = await openModel((_, index) =>
      index === 0 ? { text: whole, breaksAt: 4 } : { text: whole.slice(18), breaksAt: 2 },
    );
    expect(await model.fill(question({ timeoutMs: 3000 }))).toMatchObject({
      ok: true,
      value: { name: "Lamp" },
      isPartial: true,
    });
    expect(asked.length).toBeGreaterThan(1);
    expect(counted.get("t1")).toBeGreaterThan(0);
  });

  it.each(protocols)("of %s that breaks before it has begun is asked for again, then named", async (protocol) => {
    const once = await openModel((_, index) => ({ json: right, ...(index === 0 ? { breaksAt: 0 } : {}) }), {
      protocol,
    });
    expect(await once.model.fill(question())).toMatchObject({ ok: true, value: right, mode: "json_schema" });
    expect(once.asked.length).toBe(2);
    const always = await openModel(() => ({ json: right, breaksAt: 0 }), { protocol });
    expect(await always.model.fill(question({ timeoutMs: 1200 }))).toMatchObject({
      ok: false,
      code: "MODEL_UNAVAILABLE",
    });
  });

  it("whose JSON has not begun when it breaks is asked for again, in the same way", async () => {
    const { model, asked } = await openModel((_, index) =>
      index === 0 ? { text: "Here is what I found", breaksAt: 3 } : { json: right },
    );
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right, mode: "json_schema" });
    expect(asked.map(({ way, turns }) => [way, turns.length])).toEqual([
      ["json_schema", 1],
      ["json_schema", 1],
    ]);
  });

  it("in which the service tells of a failure is asked for again", async () => {
    const failing = (response: import("node:http").ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ error: { message: "CUDA out of memory", code: 500 } })}\n\n`);
    };
    const { model } = await openModel((_, index) => (index === 0 ? failing : { json: right }));
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right });
    const tooLong = (response: import("node:http").ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ error: { message: "the prompt exceeds the context window" } })}\n\n`);
    };
    const full = await openModel(() => tooLong);
    expect(await full.model.fill(question())).toMatchObject({ ok: false, code: "MODEL_INPUT_TOO_LONG" });
    expect(full.asked.length).toBe(1);
  });

  it.each(protocols)("of %s that outgrows its bound is stopped, and the connection closed", async (protocol) => {
    const endless = `{"name": "Lamp", "tags": ["${"a".repeat(4000)}`;
    const { model, left } = await openModel(() => ({ text: endless, paceMs: 1 }), { protocol });
    const answer = await model.ask(question({ maxOutputTokens: 64 }));
    expect(answer).toMatchObject({ ok: true, isCutOff: true });
    expect(answer.ok && answer.text.length).toBeLessThan(64 * 8 + 100);
    await expect.poll(left).toBe(1);
  });

  it.each(protocols)(
    "of %s is left at once when its caller has gone, and what was written counts",
    async (protocol) => {
      const stopping = new AbortController();
      const { model, asked, left, counted } = await openModel(() => ({ text: "word ".repeat(1000), paceMs: 5 }), {
        protocol,
      });
      const answering = model.ask(question({ signal: stopping.signal }));
      await expect.poll(() => asked.length).toBe(1);
      await expect.poll(() => asked[0]?.said).toBeGreaterThan(5);
      stopping.abort();
      expect(await answering).toMatchObject({ ok: false, code: "ABORTED" });
      await expect.poll(left).toBe(1);
      expect(counted.get("t1")).toBeGreaterThan(0);
    },
  );

  it("is not ended by a pause between its pieces", async () => {
    const { model } = await openModel(() => ({ json: right, paceMs: 60 }), { idleMs: 40 });
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right });
  });
});

describe("a service that does not stream", () => {
  it.each(protocols)(
    "but answers whole is read, with no question lost, and not asked to stream again (%s)",
    async (protocol) => {
      const { model, asked } = await openModel(() => ({ json: right, isWhole: true }), { protocol });
      expect(await model.fill(question())).toMatchObject({ ok: true, value: right, mode: "json_schema" });
      await model.fill(question());
      expect(asked.map(({ isStreamed }) => isStreamed)).toEqual([true, false]);
    },
  );

  it.each([
    [400, "Unsupported value: 'stream' does not support true with this model"],
    [422, "streaming is not available"],
    [501, "stream: not implemented"],
  ])("and says so (%i %s) keeps its output mode", async (status, error) => {
    const { model, asked } = await openModel(({ isStreamed }) => (isStreamed ? { status, error } : { json: right }));
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right, mode: "json_schema" });
    await model.fill(question());
    expect(asked.map(({ isStreamed }) => isStreamed)).toEqual([true, false, false]);
  });

  it("and does not say why is found out by the plainest question", async () => {
    const { model, asked } = await openModel(({ isStreamed }) =>
      isStreamed ? { status: 400, error: "Bad Request" } : { json: right },
    );
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right });
    expect(asked.map(({ isStreamed }) => isStreamed)).toEqual([true, true, true, true, false]);
    await model.ask(question());
    expect(asked.at(-1)?.isStreamed).toBe(false);
  });

  it("with usage in it is streamed without", async () => {
    const { model, asked } = await openModel(({ body }) =>
      body.stream_options === undefined
        ? { json: right }
        : { status: 400, error: "stream_options: extra fields not permitted" },
    );
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right, mode: "json_schema" });
    await model.fill(question());
    expect(asked.map(({ isStreamed }) => isStreamed)).toEqual([true, true, true]);
    expect(asked.at(-1)?.body.stream_options).toBeUndefined();
  });

  it("by the name of its answer's kind is read all the same", async () => {
    const misnamed = (response: import("node:http").ServerResponse) => {
      const chunk = { choices: [{ index: 0, delta: { content: whole }, finish_reason: "stop" }] };
      response
        .writeHead(200, { "content-type": "text/plain" })
        .end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    };
    const { model } = await openModel(() => misnamed);
    expect(await model.fill(question())).toMatchObject({ ok: true, value: right });
  });

  it("refused for another reason is streamed on, and its tokens are in the allowance", async () => {
    const allowance = createAllowance(10_000);
    const { model, asked } = await openModel(({ way }) =>
      way === "tool_call" ? { json: right } : { status: 400, error: "response_format is not supported" },
    );
    expect(await model.fill(question({ allowance }))).toMatchObject({ ok: true, mode: "tool_call" });
    expect(asked.every(({ isStreamed }) => isStreamed)).toBe(true);
    expect(allowance.used).toEqual({ input: 100, output: 1 });
  });
});
