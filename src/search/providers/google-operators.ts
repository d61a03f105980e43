// What Google's search understands, through whichever service it is asked. `related:` was switched off there in 2023.
import type { Operator } from "../query/express-query.ts";
import type { SearchProvider } from "./search-provider.ts";

export const googleOperators: ReadonlySet<Operator> = new Set<Operator>([
  "phrase",
  "negation",
  "site",
  "inurl",
  "intitle",
]);

/** What services can do that pass on Google's result pages. Google has had no larger pages since September 2025. */
export const googleResultPages: SearchProvider["supports"] = {
  operators: googleOperators,
  understood: googleOperators,
  sources: new Set(["web", "news", "images"]),
  timeRange: "custom",
  maxPerCall: 10,
};
