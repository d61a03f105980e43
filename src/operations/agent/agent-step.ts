// A task of an agent.
import type { AgentSettings, ExtractionStep, PageJobContext } from "../../jobs/index.ts";
import type { TaskKind } from "../../store/index.ts";

export type AgentContext = PageJobContext<"agent">;
export type AgentStep<Kind extends TaskKind = TaskKind> = ExtractionStep<Kind, AgentContext>;

export function agentOf({ context }: AgentStep): AgentSettings {
  return context.settings.agent;
}
