// Settings for callers' code: which languages, how many programs, and what to do without a sandbox.
import { availableParallelism } from "node:os";
import { splitList } from "../base/index.ts";
import { flag, setting, wholeNumber } from "./setting.ts";

const languages = ["bash", "python"] as const;
export type ExtraLanguage = (typeof languages)[number];

const languageList = {
  takes: "bash, python, or both separated by a comma",
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
    "Languages that code in browser sessions may use, in addition to JavaScript and agent-browser commands. Their " +
      "interpreters must be installed in /usr.",
  ),
  executeConcurrency: setting(
    "EXECUTE_CONCURRENCY",
    wholeNumber(1, 256),
    Math.max(4, 2 * availableParallelism()),
    "Programs that run in browser sessions at the same time. Others wait, and one team never takes all slots. Each may use " +
      "512 MB of memory.",
    "twice the number of cores, at least 4",
  ),
  executeUnsandboxed: setting(
    "EXECUTE_UNSANDBOXED",
    flag,
    false,
    "Set to 1 to run callers' programs even if the system has no namespaces to sandbox them. They can then read and reach " +
      "everything that the server's user can.",
  ),
};
