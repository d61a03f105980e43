// Counting tokens: what one request has used.
import type { Allowance, ModelImage, Tokens } from "./model.ts";

export const noTokens: Tokens = { input: 0, output: 0 };

export function addTokens(one: Tokens, other: Tokens): Tokens {
  return { input: one.input + other.input, output: one.output + other.output };
}

/** `limit` 0: unlimited. `most`: tokens that the request may use beside that, which may be none. */
export function createAllowance(limit: number, most = Number.POSITIVE_INFINITY): Allowance {
  const allowed = Math.min(limit === 0 ? Number.POSITIVE_INFINITY : limit, most);
  let used = noTokens;
  return {
    get used() {
      return used;
    },
    left: () => Math.max(0, allowed - used.input - used.output),
    add(tokens) {
      used = addTokens(used, tokens);
    },
  };
}

/** What services count for a page in the size in which it is sent. */
const tokensPerImage = 1600;

export function imageTokens(image: ModelImage | null): number {
  return image === null ? 0 : tokensPerImage;
}
