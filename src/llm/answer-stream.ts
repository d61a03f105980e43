// Reads an answer while the model writes it: what has come is kept when the stream breaks, and an answer that outgrows its
// bound is not waited for.
import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";

export type SdkModel = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
export type SdkResult = Awaited<ReturnType<SdkModel["doGenerate"]>>;
type Parts = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
type Part = Parts extends ReadableStream<infer Each> ? Each : never;

export interface Gathered {
  text: string;
  /** Text and thoughts, for an estimate of tokens. */
  written: string;
  /** Null when the stream ended before the answer did. */
  finish: Pick<SdkResult, "finishReason" | "usage"> | null;
  isOverlong: boolean;
  /** What broke the stream. */
  error: unknown;
}

/** Services that do not know or keep the limit they are given: no language has tokens of this length on average. */
const longestToken = 8;

export async function gather(stream: Parts, maxOutputTokens: number): Promise<Gathered> {
  const words: string[] = [];
  const inputs: string[] = [];
  const thoughts: string[] = [];
  let call = "";
  let length = 0;
  let finish: Gathered["finish"] = null;
  let error: unknown = null;
  let isOverlong = false;

  function take(part: Part): void {
    const list = part.type === "text-delta" ? words : part.type === "tool-input-delta" ? inputs : thoughts;
    if ("delta" in part) {
      list.push(part.delta);
      length += part.delta.length;
    }
    if (part.type === "tool-call") call ||= part.input;
    if (part.type === "error") error ??= part.error;
    // Without a reason the stream just ended.
    if (part.type === "finish" && part.finishReason.raw !== undefined) finish = part;
  }

  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      take(value);
      isOverlong = length > maxOutputTokens * longestToken;
      if (isOverlong) break;
    }
  } catch (failure) {
    error = failure;
  } finally {
    // Closes the connection, so that the service stops writing.
    reader.cancel().catch(() => undefined);
  }
  const text = call || inputs.join("") || words.join("");
  return { text, written: thoughts.join("") + words.join("") + inputs.join(""), finish, isOverlong, error };
}
