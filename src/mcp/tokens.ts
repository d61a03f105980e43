// The one token counter. This room is loaded with its first use, and the counter with it.
import { loadTokenCounter } from "../text/index.ts";

export const tokensOf = await loadTokenCounter();
