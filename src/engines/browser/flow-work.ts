// A flow as the browser is given it, and what it tells of how it went.
import type { FlowTarget, KeptStep, StepType } from "../../contract/index.ts";
import type { BoundStep, HealLimits } from "../../flows/index.ts";

export interface HealedStep {
  step: string;
  index: number;
  by: "rules" | "model";
  score: number;
  from: FlowTarget;
  to: FlowTarget;
  reasons: string[];
}

export interface DoneStep {
  id: string;
  type: StepType;
  status: "done" | "healed" | "skipped";
  ms: number;
}

export interface FlowReport {
  steps: DoneStep[];
  healed: HealedStep[];
}

export interface FlowWork {
  id: string;
  version: number;
  /** "before": from its own start, and the page is opened after it. */
  mode: "on" | "before";
  /** Where it begins; what its steps do there follows. */
  startUrl: string;
  steps: readonly BoundStep[];
  /** As they are kept: what heals goes there. */
  kept: readonly KeptStep[];
  /** Steps that are not done here: the first one, which the page itself is. */
  offset: number;
  heals: boolean;
  stepMs: number;
  limits: HealLimits;
  /** Which of the lines the step means; null where no model may be asked. */
  ask: ((step: string, lines: readonly string[], signal: AbortSignal) => Promise<number | null>) | null;
  /** What is typed for a secret into a document of this URL. Throws why it may not be typed there. */
  secretFor(name: string, documentUrl: string, signal: AbortSignal): Promise<string>;
  /** Takes secrets out of what leaves. */
  hide(text: string): string;
  onEnd(report: FlowReport): void;
}
