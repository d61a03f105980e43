// A list of stages as data. Each stage takes what the stages before it have made and adds something, or ends the page with a
// failure. The compiler checks the order: a stage that needs what no earlier stage makes does not fit into the list.
import type { PageFailure } from "./page-reading.ts";

/** What a stage adds to the page, or why the page ends here. */
export type StageResult<Added> = Added | PageFailure;

/** `Needs`: what it uses of the page. */
export type Stage<Needs, Added> = (page: Needs) => StageResult<Added> | Promise<StageResult<Added>>;

export interface StageList<Entered extends object, Made extends object> {
  /** In their order. */
  names: readonly string[];
  next<Added extends object>(name: string, stage: Stage<Made, Added>): StageList<Entered, Made & Added>;
  /** Takes the page through all of them. The page itself is filled in. */
  run(page: Entered): Promise<StageResult<Made>>;
}

interface NamedStage {
  name: string;
  stage: Stage<never, object>;
}

/** `Entered`: a page as it enters the list. */
export function firstStage<Entered extends object>(): StageList<Entered, Entered> {
  return listOf<Entered, Entered>([]);
}

function listOf<Entered extends object, Made extends object>(stages: readonly NamedStage[]): StageList<Entered, Made> {
  return {
    names: stages.map(({ name }) => name),
    next: (name, stage) => listOf([...stages, { name, stage: stage as Stage<never, object> }]),
    async run(page) {
      for (const { stage } of stages) {
        const made = stage(page as never);
        // Most stages wait for nothing, and then the page does not wait for them either.
        const added = made instanceof Promise ? await made : made;
        if (isFailure(added)) return added;
        Object.assign(page, added);
      }
      return page as unknown as Made;
    },
  };
}

function isFailure(outcome: object): outcome is PageFailure {
  return "ok" in outcome && outcome.ok === false;
}
