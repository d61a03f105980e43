// A language model's service on loopback. It speaks OpenAI's chat completions, Anthropic's messages and Google's
// generateContent, streamed or whole, and answers what a script makes of each question.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { startSite } from "./site-server.ts";

export interface AskedModel {
  /** In which way the answer was asked for. */
  way: "json_schema" | "tool_call" | "json_object" | "text";
  schema: Record<string, unknown> | null;
  system: string;
  /** Without the system's. */
  turns: string[];
  body: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  /** The answer was asked for as a stream. */
  isStreamed: boolean;
  /** Events of the stream that were sent. */
  said: number;
}

export type ModelReply =
  /** As the way wants it: JSON text, or the tool's call. */
  | ({ json: unknown } & HowSaid)
  | ({ text: string } & HowSaid)
  | { status: number; error: string; headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

export interface HowSaid {
  isCutOff?: boolean;
  afterMs?: number;
  /** The answer is whole whatever was asked for. */
  isWhole?: boolean;
  /** Of the events of a stream, those before this one are sent, then the connection breaks. */
  breaksAt?: number;
  /** The same, but it ends as if all were said. */
  endsAt?: number;
  /** The stream does not say how many tokens it took. */
  hasNoUsage?: boolean;
  /** Between two events. */
  paceMs?: number;
}

export interface ModelServer {
  /** Base address of each protocol. */
  openai: string;
  anthropic: string;
  google: string;
  asked: AskedModel[];
  /** Streams that were left before their end. */
  left(): number;
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

export async function startModelServer(answer: (asked: AskedModel, index: number) => ModelReply): Promise<ModelServer> {
  const asked: AskedModel[] = [];
  let left = 0;
  const site = await startSite((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const protocol = protocols.find(({ path }) => path.test(request.url ?? ""));
      if (!protocol) return send(response, 404, { error: { message: "no such path" } });
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
      const isStreamed = protocol.isStreamed(body, request.url ?? "");
      const question = { ...protocol.read(body), body, headers: request.headers, isStreamed, said: 0 };
      asked.push(question);
      const reply = answer(question, asked.length - 1);
      if (typeof reply === "function") return reply(response);
      if ("status" in reply) return send(response, reply.status, { error: { message: reply.error } }, reply.headers);
      if (reply.afterMs !== undefined) await setTimeout(reply.afterMs);
      const text = "text" in reply ? reply.text : JSON.stringify(reply.json);
      const isTool = "json" in reply && question.way === "tool_call";
      if (!isStreamed || reply.isWhole)
        return send(response, 200, protocol.write(text, isTool, reply.isCutOff ?? false));
      response.on("close", () => {
        if (!response.writableFinished) left += 1;
      });
      const events = protocol.stream(text, isTool, reply.isCutOff ?? false);
      await stream(response, reply.hasNoUsage ? events.map(withoutUsage) : events, reply, question);
    });
  });
  const { url, close } = site;
  const bases = { openai: `${url}/v1`, anthropic: `${url}/anthropic/v1`, google: `${url}/v1beta` };
  return { ...bases, asked, left: () => left, close };
}

async function stream(
  response: ServerResponse,
  events: readonly Json[],
  how: HowSaid,
  question: AskedModel,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const [place, event] of events.entries()) {
    if (place === how.endsAt) return void response.end();
    // What was written must leave before the connection breaks.
    if (place === how.breaksAt) return void response.write(":\n\n", () => response.destroy());
    if (how.paceMs !== undefined) await setTimeout(how.paceMs);
    if (response.destroyed) return;
    const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    question.said += 1;
  }
  if (how.breaksAt !== undefined) return void response.write(":\n\n", () => response.destroy());
  response.end(events.some(({ choices }) => choices !== undefined) ? "data: [DONE]\n\n" : "");
}

function withoutUsage({ usage: _, usageMetadata: __, ...event }: Json): Json {
  return event;
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

type Reading = Pick<AskedModel, "way" | "schema" | "system" | "turns">;

interface Protocol {
  path: RegExp;
  read(body: Json): Reading;
  isStreamed(body: Json, path: string): boolean;
  write(text: string, isTool: boolean, isCutOff: boolean): Json;
  stream(text: string, isTool: boolean, isCutOff: boolean): Json[];
}

/** Pieces of a few characters, as models write them. */
const piecesOf = (text: string) => text.match(/[\s\S]{1,6}/g) ?? [];

/** As many as the texts have words: enough to be counted. */
const tokens = (text: string) => text.split(/\s+/).length;

const openai: Protocol = {
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    const messages = body.messages as { role: string; content: string | { text?: string }[] }[];
    const textOf = (content: string | { text?: string }[]) =>
      typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
    const format = body.response_format as { type?: string; json_schema?: { schema: Json } } | undefined;
    const tool = (body.tools as { function: { parameters: Json } }[] | undefined)?.[0];
    return {
      way: tool ? "tool_call" : ((format?.type as "json_schema" | undefined) ?? "text"),
      schema: tool?.function.parameters ?? format?.json_schema?.schema ?? null,
      system: messages
        .filter(({ role }) => role === "system")
        .map(({ content }) => textOf(content))
        .join("\n"),
      turns: messages.filter(({ role }) => role !== "system").map(({ content }) => textOf(content)),
    };
  },
  write(text, isTool, isCutOff) {
    const call = { id: "c1", type: "function", function: { name: "answer", arguments: text } };
    const message = isTool
      ? { role: "assistant", content: null, tool_calls: [call] }
      : { role: "assistant", content: text };
    const reason = isCutOff ? "length" : isTool ? "tool_calls" : "stop";
    return {
      id: "x",
      created: 1,
      model: "test",
      choices: [{ index: 0, message, finish_reason: reason }],
      usage: { prompt_tokens: 100, completion_tokens: tokens(text), total_tokens: 100 + tokens(text) },
    };
  },
  isStreamed: ({ stream: wanted }) => wanted === true,
  stream(text, isTool, isCutOff) {
    const chunk = (delta: Json, reason: string | null = null) => ({
      id: "x",
      created: 1,
      model: "test",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const call = (given: Json) => ({ tool_calls: [{ index: 0, ...given }] });
    const begin = isTool
      ? chunk(call({ id: "c1", type: "function", function: { name: "answer", arguments: "" } }))
      : chunk({ role: "assistant", content: "" });
    const pieces = piecesOf(text).map((piece) =>
      chunk(isTool ? call({ function: { arguments: piece } }) : { content: piece }),
    );
    const end = chunk({}, isCutOff ? "length" : isTool ? "tool_calls" : "stop");
    const usage = { prompt_tokens: 100, completion_tokens: tokens(text), total_tokens: 100 + tokens(text) };
    return [begin, ...pieces, end, { id: "x", created: 1, model: "test", choices: [], usage }];
  },
};

const anthropic: Protocol = {
  path: /^\/anthropic\/v1\/messages$/,
  read(body) {
    const messages = body.messages as { content: { text: string }[] }[];
    const tool = (body.tools as { input_schema: Json }[] | undefined)?.[0];
    const format = (body.output_config as { format?: { schema: Json } } | undefined)?.format;
    return {
      way: format ? "json_schema" : tool ? "tool_call" : "text",
      schema: format?.schema ?? tool?.input_schema ?? null,
      system: JSON.stringify(body.system ?? ""),
      turns: messages.map(({ content }) => content.map(({ text }) => text).join("")),
    };
  },
  write(text, isTool, isCutOff) {
    const block = isTool
      ? { type: "tool_use", id: "t1", name: "answer", input: JSON.parse(text) }
      : { type: "text", text };
    return {
      type: "message",
      id: "m",
      model: "test",
      role: "assistant",
      content: [block],
      stop_reason: isCutOff ? "max_tokens" : isTool ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: tokens(text) },
    };
  },
  isStreamed: ({ stream: wanted }) => wanted === true,
  stream(text, isTool, isCutOff) {
    const message = { id: "m", type: "message", model: "test", role: "assistant", content: [], stop_reason: null };
    const block = isTool ? { type: "tool_use", id: "t1", name: "answer", input: {} } : { type: "text", text: "" };
    const pieces = piecesOf(text).map((piece) => ({
      type: "content_block_delta",
      index: 0,
      delta: isTool ? { type: "input_json_delta", partial_json: piece } : { type: "text_delta", text: piece },
    }));
    const reason = isCutOff ? "max_tokens" : isTool ? "tool_use" : "end_turn";
    return [
      {
        type: "message_start",
        message: { ...message, stop_sequence: null, usage: { input_tokens: 100, output_tokens: 0 } },
      },
      { type: "content_block_start", index: 0, content_block: block },
      ...pieces,
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: tokens(text) },
      },
      { type: "message_stop" },
    ];
  },
};

const google: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:(?:g|streamG)enerateContent/,
  read(body) {
    const contents = body.contents as { parts: { text: string }[] }[];
    const config = (body.generationConfig ?? {}) as { responseMimeType?: string; responseSchema?: Json };
    const tool = (body.tools as { functionDeclarations: { parameters: Json }[] }[] | undefined)?.[0]
      ?.functionDeclarations[0];
    const isJson = config.responseMimeType === "application/json";
    return {
      way: tool ? "tool_call" : config.responseSchema ? "json_schema" : isJson ? "json_object" : "text",
      schema: tool?.parameters ?? config.responseSchema ?? null,
      system: JSON.stringify(body.systemInstruction ?? ""),
      turns: contents.map(({ parts }) => parts.map(({ text }) => text).join("")),
    };
  },
  write(text, isTool, isCutOff) {
    const part = isTool ? { functionCall: { name: "answer", args: JSON.parse(text) } } : { text };
    return {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: isCutOff ? "MAX_TOKENS" : "STOP" }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: tokens(text), totalTokenCount: 100 + tokens(text) },
    };
  },
  isStreamed: (_, path) => path.includes(":streamGenerateContent"),
  stream(text, isTool, isCutOff) {
    const whole = google.write(text, isTool, isCutOff);
    if (isTool) return [whole];
    const said = (piece: string) => ({ candidates: [{ content: { role: "model", parts: [{ text: piece }] } }] });
    const end = {
      candidates: [{ content: { role: "model", parts: [] }, finishReason: isCutOff ? "MAX_TOKENS" : "STOP" }],
    };
    return [...piecesOf(text).map(said), { ...end, usageMetadata: whole.usageMetadata }];
  },
};

const protocols = [openai, anthropic, google];
