export type { SessionMemory } from "./inside/work.ts";
export {
  createProgramRunner,
  type ProgramOutcome,
  type ProgramRequest,
  type ProgramRunner,
  type ProgramRunnerOptions,
} from "./runner.ts";
export { readVerbLines } from "./verb-lines.ts";
