// What Google's search understands, through whichever service it is asked. `related:` was switched off there in 2023.
import type { Operator } from "../query/express-query.ts";

export const googleOperators: ReadonlySet<Operator> = new Set<Operator>([
  "phrase",
  "negation",
  "site",
  "inurl",
  "intitle",
]);
