// What people and programs did, as steps: one for each thing that was meant.
import type { FlowTarget, KeptStep } from "../../contract/index.ts";
import { fieldName } from "../steps/flow-parameters.ts";
import type { RecordedEvent } from "./recorded-event.ts";

type Step = Omit<KeptStep, "id">;

export function stepsOfEvents(events: readonly RecordedEvent[]): KeptStep[] {
  const steps: Step[] = [];
  for (const event of events) {
    const step = stepOf(event);
    if (step === null) continue;
    const page = event.page === 0 ? {} : { page: event.page };
    const last = steps.at(-1);
    const made: Step = { ...step, ...page };
    if (last !== undefined && replaces(made, last)) steps.pop();
    // What a click on a field prepares is part of filling it in.
    const before = steps.at(-1);
    if (made.type === "fill" && before?.type === "click" && isSameTarget(before.target, made.target)) steps.pop();
    if (made.type === "doubleClick")
      while (steps.at(-1)?.type === "click" && isSameTarget(steps.at(-1)?.target, made.target)) steps.pop();
    // Going on to the next field with Tab is no separate step.
    if (/^(fill|select|check)$/.test(made.type)) while (isTab(steps.at(-1))) steps.pop();
    steps.push(made);
  }
  return withIds(steps);
}

export function withIds(steps: readonly (Omit<KeptStep, "id"> & { id?: string | undefined })[]): KeptStep[] {
  const taken = new Set(steps.flatMap(({ id }) => id ?? []));
  let next = 1;
  const seen = new Set<string>();
  return steps.map((step) => {
    let { id } = step;
    if (id === undefined || seen.has(id)) {
      while (taken.has(`s${next}`)) next += 1;
      id = `s${next}`;
      taken.add(id);
    }
    seen.add(id);
    return { ...step, id };
  });
}

function stepOf({ type, url, target, value, isSecret, checked, key, accept }: RecordedEvent): Step | null {
  switch (type) {
    case "navigate":
      return url === undefined || !/^https?:/.test(url) ? null : { type, url };
    case "back":
      return { type };
    case "click":
    case "doubleClick":
    case "hover":
      return isTold(target) ? { type, target } : null;
    case "input":
      if (!isTold(target)) return null;
      return {
        type: "fill",
        target,
        value: isSecret === true ? `{{secret:${secretName(target)}}}` : String(value ?? "").slice(0, 10_000),
      };
    case "select":
      return isTold(target) ? { type, target, value: oneOrAll(value ?? "") } : null;
    case "check":
      return isTold(target) ? { type, target, checked: checked === true } : null;
    case "upload":
      return isTold(target) ? { type, target, value: `{{${fieldName(target.name ?? target.label ?? "file")}}}` } : null;
    case "key":
      return { type: "press", key: key ?? "", ...(isTold(target) ? { target } : {}) };
    case "dialog":
      return { type, accept: accept === true, ...(typeof value === "string" && value !== "" ? { value } : {}) };
    default:
      return null;
  }
}

/** One option as text, several as a list. */
function oneOrAll(value: string | string[]): string | string[] {
  return Array.isArray(value) && value.length === 1 ? (value[0] ?? "") : value;
}

function secretName({ name, label, placeholder, near }: FlowTarget): string {
  return fieldName(name ?? label ?? placeholder ?? near ?? "password");
}

/** Whether there is something to find it by. */
function isTold(target: FlowTarget | undefined): target is FlowTarget {
  if (target === undefined) return false;
  const { name, label, placeholder, text, near, role } = target;
  return [name, label, placeholder, text, near, role].some((each) => each !== undefined);
}

/** A field's final text, or its final choice, is one step. */
function replaces(step: Step, last: Step): boolean {
  if (step.type === "navigate" && last.type === "navigate") return step.url === last.url;
  const isFinal = step.type === "fill" || step.type === "select" || step.type === "check";
  return isFinal && step.type === last.type && step.page === last.page && isSameTarget(step.target, last.target);
}

function isSameTarget(one: FlowTarget | undefined, other: FlowTarget | undefined): boolean {
  const key = (target: FlowTarget | undefined) => {
    const { role, name, label, placeholder, near, within, frame, position } = target ?? {};
    return JSON.stringify([role, name, label, placeholder, near, within, frame, position]);
  };
  return one !== undefined && other !== undefined && key(one) === key(other);
}

function isTab(step: Step | undefined): boolean {
  return step?.type === "press" && (step.key === "Tab" || step.key === "Shift+Tab");
}
