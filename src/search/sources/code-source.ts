import { noOperators } from "./source.ts";

/** What sources about programs have in common. */
export const codeSource = {
  tier: "open",
  signal: "code",
  understands: noOperators,
  wantsAllWords: true,
  answers: "json",
} as const;
