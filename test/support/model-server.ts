// A language model's service on loopback. It speaks OpenAI's chat completions, Anthropic's messages and Google's
// generateContent, and answers what a script makes of each question.
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
}

export type ModelReply =
  /** As the way wants it: JSON text, or the tool's call. */
  | { json: unknown; isCutOff?: boolean; afterMs?: number }
  | { text: string; isCutOff?: boolean; afterMs?: number }
  | { status: number; error: string; headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

export interface ModelServer {
  /** Base address of each protocol. */
  openai: string;
  anthropic: string;
  google: string;
  asked: AskedModel[];
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

export async function startModelServer(answer: (asked: AskedModel, index: number) => ModelReply): Promise<ModelServer> {
  const asked: AskedModel[] = [];
  const site = await startSite((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const protocol = protocols.find(({ path }) => path.test(request.url ?? ""));
      if (!protocol) return send(response, 404, { error: { message: "no such path" } });
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
      const question = { ...protocol.read(body), body, headers: request.headers };
      asked.push(question);
      const reply = answer(question, asked.length - 1);
      if (typeof reply === "function") return reply(response);
      if ("status" in reply) return send(response, reply.status, { error: { message: reply.error } }, reply.headers);
      if (reply.afterMs !== undefined) await setTimeout(reply.afterMs);
      const text = "text" in reply ? reply.text : JSON.stringify(reply.json);
      const isTool = "json" in reply && question.way === "tool_call";
      send(response, 200, protocol.write(text, isTool, reply.isCutOff ?? false));
    });
  });
  const { url, close } = site;
  return { openai: `${url}/v1`, anthropic: `${url}/anthropic/v1`, google: `${url}/v1beta`, asked, close };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

type Reading = Pick<AskedModel, "way" | "schema" | "system" | "turns">;

interface Protocol {
  path: RegExp;
  read(body: Json): Reading;
  write(text: string, isTool: boolean, isCutOff: boolean): Json;
}

/** As many as the texts have words: enough to be counted. */
const tokens = (text: string) => text.split(/\s+/).length;

const openai: Protocol = {
  path: /^\/v1\/chat\/completions$/,
  read(body) {
    const messages = body.messages as { role: string; content: string }[];
    const format = body.response_format as { type?: string; json_schema?: { schema: Json } } | undefined;
    const tool = (body.tools as { function: { parameters: Json } }[] | undefined)?.[0];
    return {
      way: tool ? "tool_call" : ((format?.type as "json_schema" | undefined) ?? "text"),
      schema: tool?.function.parameters ?? format?.json_schema?.schema ?? null,
      system: messages
        .filter(({ role }) => role === "system")
        .map(({ content }) => content)
        .join("\n"),
      turns: messages.filter(({ role }) => role !== "system").map(({ content }) => content),
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
};

const google: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:generateContent/,
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
};

const protocols = [openai, anthropic, google];
