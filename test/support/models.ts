// The real app with a language model on loopback whose answers a test scripts.
import { onTestFinished } from "vitest";
import { hurriedClock, startApp, type TestApp } from "./app.ts";
import type { TestEngine } from "./engines.ts";
import { type AskedModel, type ModelReply, type ModelServer, startModelServer } from "./model-server.ts";

/** Must never be seen anywhere but at the service. */
export const modelKey = "sk-test-4f1b8c7e2a9d-must-not-leak";

export type Script = (asked: AskedModel, index: number) => ModelReply;

export interface ModelApp {
  app: TestApp;
  server: ModelServer;
  /** What was asked since the last script. */
  asked: AskedModel[];
  /** From now on the service answers by this. */
  script(answer: Script): void;
  stop(): Promise<void>;
}

const unscripted: Script = () => ({ status: 500, error: "this question was not expected" });

export async function startModelApp(engine: TestEngine, env: Record<string, string> = {}): Promise<ModelApp> {
  const asked: AskedModel[] = [];
  let answer = unscripted;
  const server = await startModelServer((question) => {
    asked.push(question);
    return answer(question, asked.length - 1);
  });
  const settings = {
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    OPENAI_BASE_URL: server.openai,
    OPENAI_API_KEY: modelKey,
    MODEL_NAME: "test-model",
    ...env,
  };
  const app = await startApp(engine, settings, hurriedClock);
  return {
    app,
    server,
    asked,
    script(next) {
      answer = next;
      asked.length = 0;
      onTestFinished(() => {
        answer = unscripted;
      });
    },
    async stop() {
      await app.stop();
      await server.close();
    },
  };
}

/** The page text of a question, between its marks. */
export function pageTextOf({ turns }: AskedModel): string {
  const [question = ""] = turns;
  const blocks = question.matchAll(/BEGIN PAGE (\d+ [0-9a-f]+)\n([\s\S]*?)\nEND PAGE \1/g);
  return [...blocks].map(([, , text]) => text).join("\n\n");
}
