// What a flow is made of: a session's events, or a flow of this or another server; parameters and secrets are put in.
import { refusedField, ServiceError } from "../../base/index.ts";
import { flowContent, type KeptStep, maxFlowSteps, type OperationInput } from "../../contract/index.ts";
import {
  nameParameters,
  namesIn,
  nameTypedValues,
  ParameterFault,
  type RecordedEvent,
  stepsOfEvents,
  withIds,
} from "../../flows/index.ts";
import type { FlowContent, FlowView } from "./flow-record.ts";

type CreateInput = OperationInput<"createFlow">;

export interface FlowSource extends FlowContent {
  source: FlowView["source"];
  warnings: string[];
}

export function fromEvents(events: readonly RecordedEvent[], input: CreateInput): FlowSource {
  const steps = stepsOfEvents(events);
  if (steps.every(({ type }) => type === "navigate")) throw new ServiceError("FLOW_EMPTY");
  const lost = events.filter(
    ({ type, target }) => /^(click|doubleClick|input|select|check|upload)$/.test(type) && !target,
  );
  const warnings = lost.length === 0 ? [] : ["Some elements had nothing to find them by and were left out."];
  return { source: "session", warnings, ...finish(steps, input) };
}

export function fromFlow(given: unknown, input: CreateInput): FlowSource {
  const { flow = given, formatVersion = 1 } = given as { flow?: unknown; formatVersion?: unknown };
  if (formatVersion !== 1) throw refusedField(["from", "flow", "formatVersion"], "Must be 1");
  const read = flowContent.safeParse(flow);
  if (!read.success) {
    const details = read.error.issues.map(({ code, path, message }) => ({
      code,
      path: ["from", "flow", ...path],
      message,
    }));
    throw new ServiceError("BAD_REQUEST", undefined, { details });
  }
  const { steps, parameters } = read.data;
  const named =
    input.parameters === undefined ? { steps: withIds(steps), parameters: {} } : name(withIds(steps), input);
  const used = namesIn(named.steps);
  const own = Object.fromEntries(Object.entries(parameters).filter(([key]) => used.has(key)));
  const missing = [...used].filter((key) => !Object.hasOwn(own, key) && !Object.hasOwn(named.parameters, key));
  const added = Object.fromEntries(missing.map((key) => [key, { type: "string" as const, required: true }]));
  return {
    source: "flow",
    warnings: [],
    steps: withSecrets(named.steps, input),
    parameters: { ...own, ...added, ...named.parameters },
  };
}

/** With its parameters named, those that were asked for first. */
export function finish(steps: readonly KeptStep[], input: CreateInput): FlowContent {
  if (steps.length > maxFlowSteps)
    throw refusedField(["from"], `A flow has at most ${maxFlowSteps} steps; this would have ${steps.length}`);
  const { steps: named, parameters } = name(steps, input);
  const typed = nameTypedValues(named, parameters);
  return { steps: withSecrets(typed.steps, input), parameters: typed.parameters };
}

function name(steps: readonly KeptStep[], { parameters = {} }: CreateInput) {
  try {
    return nameParameters(steps, parameters);
  } catch (error) {
    if (error instanceof ParameterFault) throw refusedField(["parameters", error.parameter], error.message);
    throw error;
  }
}

/** The secrets that a team calls otherwise than the field is called. */
function withSecrets(steps: readonly KeptStep[], { secrets = {} }: CreateInput): KeptStep[] {
  return steps.map((step) => {
    const [, field] = /^\{\{secret:(.+)\}\}$/.exec(String(step.value)) ?? [];
    const own = field !== undefined && Object.hasOwn(secrets, field) ? secrets[field] : undefined;
    return own === undefined ? step : { ...step, value: `{{secret:${own}}}` };
  });
}

/** Where it begins. */
export function startOf(steps: readonly KeptStep[]): string {
  return steps.find(({ type }) => type === "navigate")?.url ?? "";
}
