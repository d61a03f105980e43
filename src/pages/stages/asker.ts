import type { Asker } from "../../llm/index.ts";
import type { ReadingWork } from "./entered-page.ts";

/** What is left of a request's time when the language model takes too long. */
const longestReserveMs = 2000;

/** Who asks the language model, and how long it may take. */
export function askerOf({ request, signal, endsAt }: ReadingWork): Asker {
  const { teamId, keyId, options } = request;
  return { teamId, keyId, signal, endsAt: endsAt - Math.min(longestReserveMs, options.timeout / 10) };
}
