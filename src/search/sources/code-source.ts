import { sourceDefaults } from "./source.ts";

/** What sources about programs have in common. */
export const codeSource = {
  ...sourceDefaults,
  signal: "code",
  wantsAllWords: true,
} as const;
