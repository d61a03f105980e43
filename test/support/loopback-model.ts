// A model against a service on loopback that speaks its protocol and misbehaves by script, through the real way out.
import { Ajv } from "ajv";
import { onTestFinished } from "vitest";
import {
  type Check,
  createAllowance,
  createModel,
  type ModelEndpoint,
  type StructuredRequest,
} from "../../src/llm/index.ts";
import { type AskedModel, type ModelReply, startModelServer } from "./model-server.ts";
import { openNet } from "./site-server.ts";

/** Closed in reverse order when the test ends. */
export function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  onTestFinished(() => part.close());
  return part;
}

export const key = "sk-SECRET0123456789abcdef";
export const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number", minimum: 0 },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["name"],
};
export const right = { name: "Lamp", price: 12.5, tags: ["a", "b"] };

/** What stands for the validator of the extraction room. */
function checkWith(own: object): Check {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(own);
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, keyword, message, params }) => {
          const parts = instancePath.split("/").slice(1);
          const path = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
          return keyword === "required"
            ? { path: [...path, String(params.missingProperty)], kind: "missing", message: "is missing" }
            : { path, kind: "wrong", message: message ?? keyword };
        });
}

interface Options {
  protocol?: ModelEndpoint["protocol"];
  concurrency?: number;
  tokensPerMonth?: number;
  /** Longest pause of a body that net allows by itself. */
  idleMs?: number;
}

export async function openModel(answer: (asked: AskedModel, index: number) => ModelReply, options: Options = {}) {
  const { protocol = "openai", concurrency = 4, tokensPerMonth = 0 } = options;
  const server = keep(await startModelServer(answer));
  const counted = new Map<string, number>();
  let now = Date.UTC(2026, 10, 15);
  const pauses: number[] = [];
  const model = createModel(
    {
      net: keep(openNet(options.idleMs === undefined ? {} : { limits: { idleMs: options.idleMs } })),
      clock: {
        now: () => now,
        async wait(ms) {
          pauses.push(ms);
        },
      },
      ledger: {
        reserve: async ({ teamId }, _month, { least, most, limit }) => {
          const used = counted.get(teamId) ?? 0;
          const granted = limit - used < least ? 0 : Math.min(most, limit - used);
          counted.set(teamId, used + granted);
          return { id: String(granted), granted, used };
        },
        settle: async ({ teamId }, _month, { input, output }, reservation) => {
          counted.set(teamId, (counted.get(teamId) ?? 0) + input + output - Number(reservation ?? 0));
        },
      },
    },
    { protocol, baseUrl: server[protocol], apiKey: key, name: "test-model", setting: "OPENAI_API_KEY" },
    { concurrency, tokensPerMonth },
  );
  return {
    model,
    asked: server.asked,
    left: server.left,
    counted,
    /** The pauses between calls, which take no time here. */
    pauses,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

export function question(more: Partial<StructuredRequest> = {}): StructuredRequest {
  return {
    system: "Read.",
    prompt: "What is it?",
    schema,
    check: checkWith(more.schema ?? schema),
    teamId: "t1",
    allowance: createAllowance(0),
    maxOutputTokens: 1000,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...more,
  };
}
