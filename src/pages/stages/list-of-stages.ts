// A list of stages as data. Each stage takes what the stages before it have made and adds something, or ends the page with a
// failure. The compiler checks the order: a stage that needs what no earlier stage makes does not fit into the list.
import type { PageFailure } from "../record/page-reading.ts";

/** What a stage adds to the page, or why the page ends here. */
export type StageResult<Added, Failure = PageFailure> = Added | Failure;

/** `Needs`: what it uses of the page. */
export type Stage<Needs, Added, Failure> = (
  page: Needs,
) => StageResult<Added, Failure> | Promise<StageResult<Added, Failure>>;

export interface StageList<Entered extends object, Made extends object, Failure> {
  /** In their order; those of a list within follow the stage that runs it. */
  names: readonly string[];
  /** `within`: the names of the stages that it takes the page through itself. */
  next<Added extends object>(
    name: string,
    stage: Stage<Made, Added, Failure>,
    within?: readonly string[],
  ): StageList<Entered, Made & Added, Failure>;
  /** Takes the page through all of them. The page itself is filled in. */
  run(page: Entered): Promise<StageResult<Made, Failure>>;
}

type AnyStage = Stage<never, object, unknown>;

/** `Entered`: a page as it enters the list. */
export function firstStage<Entered extends object, Failure = PageFailure>(): StageList<Entered, Entered, Failure> {
  return listOf<Entered, Entered, Failure>([], []);
}

function listOf<Entered extends object, Made extends object, Failure>(
  names: readonly string[],
  stages: readonly AnyStage[],
): StageList<Entered, Made, Failure> {
  return {
    names,
    next: (name, stage, within = []) => listOf([...names, name, ...within], [...stages, stage as AnyStage]),
    async run(page) {
      for (const stage of stages) {
        const made = stage(page as never);
        // Most stages wait for nothing, and then the page does not wait for them either.
        const added = made instanceof Promise ? await made : made;
        if (isFailure(added as object)) return added as Failure;
        Object.assign(page, added);
      }
      return page as unknown as Made;
    },
  };
}

function isFailure(outcome: object): boolean {
  return "ok" in outcome && outcome.ok === false;
}
