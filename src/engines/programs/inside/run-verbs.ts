// The verbs of `agent-browser`, done one after the other on the session's page.
import { reason } from "../../browser/perform-actions.ts";
import { followWindows } from "../../browser/windows.ts";
import { elementVerbs } from "./element-verbs.ts";
import { find } from "./find-verb.ts";
import { pageVerbs } from "./page-verbs.ts";
import { idOf, type ProgramSession, stepTime } from "./program-session.ts";
import { VerbFailure, type VerbTarget } from "./verb-target.ts";
import { type ProcessAnswer, type ProgramWork, pictureMark, type SessionMemory } from "./work.ts";

const windowMs = 10_000;
const unknownVerb = 2;

const verbs: Readonly<Record<string, (target: VerbTarget, words: string[]) => Promise<string | null>>> = {
  ...pageVerbs,
  ...elementVerbs,
  find,
};
const verbNames = Object.keys(verbs).sort().join(", ");

export async function runVerbs(
  { commands }: Extract<ProgramWork, { kind: "verbs" }>,
  { page, context }: ProgramSession,
  memory: SessionMemory,
  timeoutMs: number,
): Promise<ProcessAnswer> {
  const endsAt = performance.now() + timeoutMs;
  const target: VerbTarget = {
    context,
    page,
    protocol: await context.newCDPSession(page),
    windows: followWindows(page),
    refs: memory.refs ?? null,
    pictures: [],
    frame: memory.frame ?? null,
    dialog: memory.dialog ?? null,
  };
  answerDialogs(target);
  let result: string | undefined;
  let exitCode = 0;
  /** The place of an answer that was read before its dialog was opened. */
  let answeredAt = -1;
  for (const [place, { words, needsSuccess }] of commands.entries()) {
    if (needsSuccess && exitCode !== 0) continue;
    context.setDefaultTimeout(stepTime(endsAt - performance.now()));
    try {
      const verb = verbs[words[0] ?? ""];
      if (verb === undefined || !Object.hasOwn(verbs, words[0] ?? "")) {
        process.stderr.write(`${words[0]}: unknown verb; known verbs are ${verbNames}\n`);
        exitCode = unknownVerb;
        continue;
      }
      if (place !== answeredAt && (await prepareAnswer(target, commands[place + 1]?.words))) answeredAt = place + 1;
      const said = place === answeredAt ? null : await verb(target, words.slice(1)).catch(unlessClosed(words, target));
      await turnTo(target);
      const line = said === null || said === pictureMark ? said : plain(said);
      if (line !== null) process.stdout.write(`${line}\n`);
      result = line ?? result;
      exitCode = 0;
    } catch (error) {
      const said = error instanceof VerbFailure ? error.message : reason(error);
      process.stderr.write(`${words.slice(0, 2).join(" ")}: ${said.split("\n")[0]}\n`);
      exitCode = 1;
    }
  }
  process.exitCode = exitCode;
  return {
    ...(result === undefined ? {} : { result }),
    memory: {
      pageId: await idOf(target.page),
      ...(target.refs === null ? {} : { refs: target.refs }),
      ...(target.frame === null ? {} : { frame: target.frame }),
      ...(target.dialog === null ? {} : { dialog: target.dialog }),
    },
    pictures: target.pictures,
  };
}

/** As the verb before or behind says, else with no. */
function answerDialogs(target: VerbTarget): void {
  target.context.on("dialog", (dialog) => {
    const { accept, text } = target.dialog ?? { accept: false, text: "" };
    target.dialog = null;
    // It may have been answered by a person or another program.
    const answered = accept ? dialog.accept(...(dialog.type() === "prompt" ? [text] : [])) : dialog.dismiss();
    answered.catch(() => undefined);
  });
}

/** A verb waits until its dialog is answered, so the answer behind it is read before. */
async function prepareAnswer(target: VerbTarget, next: string[] | undefined): Promise<boolean> {
  if (next?.[0] !== "dialog" || !["accept", "dismiss"].includes(next[1] ?? "")) return false;
  await verbs["dialog"]?.(target, next.slice(1));
  return true;
}

/** A window that closes itself at a click, as those for signing in do, has taken it. */
function unlessClosed([verb = ""]: string[], { page }: VerbTarget) {
  return (error: unknown): null => {
    if (page.isClosed() && ["click", "dblclick", "press", "find"].includes(verb)) return null;
    throw error;
  };
}

/** The page after the previous verb: a window that it opened, or the one behind a window that closed itself. */
async function turnTo(target: VerbTarget): Promise<void> {
  const { windows } = target;
  await windows.follow(windowMs);
  if (windows.page === target.page) return;
  target.page = windows.page;
  target.frame = null;
  target.protocol = await target.page.context().newCDPSession(target.page);
}

/** The mark of a picture is ours alone. */
function plain(text: string): string {
  return text.replaceAll("\0", "");
}
