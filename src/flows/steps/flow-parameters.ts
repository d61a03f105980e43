// Values in steps: which of them are parameters, and what they are in a run. Values are data: nothing inside of one is looked at again.
import type { FlowParameters, FlowStep, FlowTarget, FlowValues, KeptStep } from "../../contract/index.ts";

export interface FlowFile {
  filename: string;
  content: string;
  contentType?: string | undefined;
}

/** A step with the values of a run. */
export interface BoundStep {
  step: KeptStep;
  /** What the caller named is found as named or not at all. */
  isNamedByCaller: boolean;
  /** Its value is this secret. */
  secret: string | null;
  file: FlowFile | null;
}

export class ParameterFault extends Error {
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

const slot = /\{\{([A-Za-z_][\w-]*)\}\}/g;
const secretSlot = /^\{\{secret:([A-Za-z0-9._-]{1,64})\}\}$/;
const maxFileBytes = 5 * 1024 * 1024;

/** Names of the secrets that its steps type. */
export function secretsIn(steps: readonly FlowStep[]): string[] {
  return [...new Set(steps.flatMap(({ value }) => secretSlot.exec(typeof value === "string" ? value : "")?.[1] ?? []))];
}

/** Names of parameters that steps use. */
export function namesIn(steps: readonly FlowStep[]): Set<string> {
  const names = new Set<string>();
  JSON.stringify(steps).replace(slot, (_slot, name) => {
    names.add(name);
    return "";
  });
  return names;
}

/** What a run has for each parameter. Throws a ParameterFault for one that is missing. Unknown ones are named. */
export function readValues(parameters: FlowParameters, given: FlowValues) {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(parameters, name));
  const texts = new Map<string, string>();
  const files = new Map<string, FlowFile>();
  let bytes = 0;
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = Object.hasOwn(given, name) ? given[name] : parameter.default;
    if (value === undefined) {
      if (parameter.required || parameter.type === "file")
        throw new ParameterFault(name, `The parameter ${name} is missing.`);
      continue;
    }
    const isFile = typeof value === "object";
    if (isFile !== (parameter.type === "file"))
      throw new ParameterFault(name, `The parameter ${name} must be a ${parameter.type}.`);
    if (typeof value !== "object") texts.set(name, String(value));
    else {
      bytes += Math.floor((value.content.length * 3) / 4);
      files.set(name, value);
    }
  }
  if (bytes > maxFileBytes) throw new ParameterFault("parameters", "The files are larger than 5 MB together.");
  return { unknown, texts, files };
}

type Values = ReturnType<typeof readValues>;

export function bindSteps(steps: readonly KeptStep[], { texts, files }: Values): BoundStep[] {
  const fill = (text: string, write = (value: string) => value) =>
    text.replace(slot, (whole, name) => {
      const value = texts.get(name);
      return value === undefined ? (files.has(name) ? whole : "") : write(value);
    });
  return steps.map((step) => {
    const { url, value, target } = step;
    const bound: KeptStep = { ...step };
    if (url !== undefined) bound.url = fill(url, encodeURIComponent);
    const secret = typeof value === "string" ? (secretSlot.exec(value)?.[1] ?? null) : null;
    if (value !== undefined && secret === null)
      bound.value = Array.isArray(value) ? value.map((each) => fill(each)) : fill(value);
    if (target !== undefined) bound.target = fillTarget(target, fill);
    const isNamedByCaller = target !== undefined && hasSlot(target);
    const name = step.type === "upload" ? String(value).slice(2, -2) : "";
    return { step: bound, isNamedByCaller, secret, file: files.get(name) ?? null };
  });
}

function hasSlot({ name, text, within }: FlowTarget): boolean {
  return [name, text, within?.name].some((each) => each !== undefined && each.search(slot) >= 0);
}

function fillTarget(target: FlowTarget, fill: (text: string) => string): FlowTarget {
  const { name, text, within } = target;
  const filled = { ...target };
  if (name !== undefined) filled.name = fill(name);
  if (text !== undefined) filled.text = fill(text);
  if (within !== undefined) filled.within = { ...within, name: fill(within.name) };
  return filled;
}

export type WantedParameters = Readonly<Record<string, string | { value: string; required?: boolean | undefined }>>;

/** Wherever a value of a step equals the given text, it becomes that parameter. Throws a ParameterFault for one that occurs nowhere. */
export function nameParameters(steps: readonly KeptStep[], wanted: WantedParameters) {
  let named: readonly KeptStep[] = steps;
  const parameters: FlowParameters = {};
  for (const [name, want] of Object.entries(wanted)) {
    const { value, required = false } = typeof want === "string" ? { value: want } : want;
    let count = 0;
    const replace = (text: string) => {
      if (text !== value) return text;
      count += 1;
      return `{{${name}}}`;
    };
    named = named.map((step) => replaceIn(step, replace));
    if (count === 0) throw new ParameterFault(name, `The value of the parameter ${name} occurs in no step.`);
    parameters[name] = { type: "string", required, ...(required ? {} : { default: value }) };
  }
  return { steps: [...named], parameters };
}

function replaceIn(step: KeptStep, replace: (text: string) => string): KeptStep {
  const { url, value, target } = step;
  const changed: KeptStep = { ...step };
  if (url !== undefined) changed.url = replaceInUrl(url, replace);
  if (value !== undefined) changed.value = Array.isArray(value) ? value.map(replace) : replace(value);
  if (target !== undefined) {
    changed.target = { ...target };
    if (target.name !== undefined) changed.target.name = replace(target.name);
    if (target.text !== undefined) changed.target.text = replace(target.text);
    if (target.within !== undefined) changed.target.within = { ...target.within, name: replace(target.within.name) };
  }
  return changed;
}

/** Query values and path segments; the rest of the URL stays as it is written. */
function replaceInUrl(url: string, replace: (text: string) => string): string {
  const [, start = "", path = "", query = "", hash = ""] =
    /^([a-z]+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(url) ?? [];
  const one = (text: string, isQuery: boolean) => {
    const plain = decode(isQuery ? text.replaceAll("+", " ") : text);
    const replaced = replace(plain);
    return replaced === plain ? text : replaced;
  };
  const segments = path.split("/").map((segment) => one(segment, false));
  const pairs = query
    .slice(1)
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return value.length === 0 ? pair : `${name}=${one(value.join("="), true)}`;
    });
  return `${start}${segments.join("/")}${query === "" ? "" : `?${pairs.join("&")}`}${hash}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Typed texts and chosen options that are no parameters yet become one each, named after their field, with what was shown as default. */
export function nameTypedValues(steps: readonly KeptStep[], taken: FlowParameters) {
  const parameters: FlowParameters = { ...taken };
  const named = steps.map((step): KeptStep => {
    const { type, value, target } = step;
    if ((type !== "fill" && type !== "select" && type !== "upload") || value === undefined) return step;
    if (typeof value !== "string" || secretSlot.test(value) || Object.hasOwn(taken, slotName(value))) return step;
    const name = freeName(target?.name ?? target?.label ?? target?.placeholder ?? target?.near ?? type, parameters);
    parameters[name] =
      type === "upload" ? { type: "file", required: true } : { type: "string", required: false, default: value };
    return { ...step, value: `{{${name}}}` };
  });
  return { steps: named, parameters };
}

/** Of a value that is nothing but a parameter. */
function slotName(value: string): string {
  return /^\{\{([A-Za-z_][\w-]*)\}\}$/.exec(value)?.[1] ?? "";
}

/** `Postal code` is postalCode; doubles get 2, 3 … */
export function fieldName(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word, place) => (place === 0 ? word.toLowerCase() : capitalized(word))).join("");
  const name = /^[A-Za-z_]/.test(joined) ? joined : joined === "" ? "value" : `value${joined}`;
  return name.slice(0, 60);
}

function freeName(text: string, taken: FlowParameters): string {
  const name = fieldName(text);
  for (let nth = 1; ; nth += 1) {
    const free = nth === 1 ? name : `${name}${nth}`;
    if (!Object.hasOwn(taken, free)) return free;
  }
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;
}
