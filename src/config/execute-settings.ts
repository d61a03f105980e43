// The settings of callers' programs: which may run, how many, and what to do where they cannot be shut in.
import { availableParallelism } from "node:os";
import { flag, setting, splitList, wholeNumber } from "../base/index.ts";

const languages = ["bash", "python"] as const;
export type ExtraLanguage = (typeof languages)[number];

const languageList = {
  takes: "bash, python or both, separated by commas",
  read: (value: string): readonly ExtraLanguage[] | undefined => {
    const list = splitList(value).map((word) => languages.find((language) => language === word));
    return list.every((language) => language !== undefined) ? list : undefined;
  },
};

export const executeSettings = {
  executeLanguages: setting(
    "EXECUTE_LANGUAGES",
    languageList,
    [],
    "Languages that programs in browser sessions may have besides JavaScript and the verbs of agent-browser. Their " +
      "interpreters must be installed in /usr.",
    "none",
  ),
  executeConcurrency: setting(
    "EXECUTE_CONCURRENCY",
    wholeNumber(1, 256),
    Math.max(4, 2 * availableParallelism()),
    "Programs in browser sessions that run at the same time; more wait, and one team never takes all places. Each may take " +
      "512 MB of memory.",
    "twice the cores, at least 4",
  ),
  executeUnsandboxed: setting(
    "EXECUTE_UNSANDBOXED",
    flag,
    false,
    "1: run programs of callers even where the system has no namespaces to shut them in. They can then read what the " +
      "server's user can read and reach what it can reach.",
    "`0`",
  ),
};
