// Finds the element of a step among those that a page has now. A pure function, the same for every use: a run, healing, actions and
// recordings that become flows, and programs that look for an element by what a person sees. What is not sure is not chosen.
import type { FlowTarget } from "../../contract/index.ts";
import type { ElementCandidate, Use } from "./element-candidate.ts";
import { foldName, isSameName } from "./fold-name.ts";

export type FoundElement =
  | { kind: "found"; index: number }
  | { kind: "none"; reason: string }
  | { kind: "ambiguous"; indexes: readonly number[]; reason: string };

interface Numbered {
  candidate: ElementCandidate;
  index: number;
}

/** In the order of the page. */
export function findElement(target: FlowTarget, candidates: readonly ElementCandidate[], use: Use): FoundElement {
  const usable = usableFor(target, candidates, use);
  if (target.by === "position") return byPosition(target, usable);
  const equal = usable.filter(({ candidate }) => isEqual(target, candidate));
  if (equal.length > 0) return narrow(target, equal);
  const only = onlyOfRole(target, usable);
  return only ?? { kind: "none", reason: "no element has its role and name" };
}

/** Elements that a person could use for the step, in the target's frame. */
export function usableFor(target: FlowTarget, candidates: readonly ElementCandidate[], use: Use): Numbered[] {
  return candidates
    .map((candidate, index) => ({ candidate, index }))
    .filter(({ candidate }) => isUsable(candidate, use) && isInFrame(target, candidate));
}

function isUsable(candidate: ElementCandidate, use: Use): boolean {
  if (!candidate.isReachable) return false;
  if (use === "look") return true;
  if (!candidate.isEnabled) return false;
  if (use === "fill") return candidate.isEditable === true;
  if (use === "select") return candidate.tag === "select";
  if (use === "check") return /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(candidate.role);
  return use === "upload" ? candidate.inputType === "file" : true;
}

/** Level by level: a frame keeps its name, its title or its URL. */
export function isInFrame({ frame = [] }: FlowTarget, { frame: place = [] }: ElementCandidate): boolean {
  return (
    frame.length === place.length &&
    frame.every((wanted, level) => {
      const { name, title, url } = place[level] ?? {};
      if (wanted.name === undefined && wanted.title === undefined && wanted.url === undefined) return true;
      return (
        isSameName(wanted.name, name) ||
        isSameName(wanted.title, title) ||
        (wanted.url !== undefined && wanted.url === url)
      );
    })
  );
}

function hasRole({ role }: FlowTarget, candidate: ElementCandidate): boolean {
  return role === undefined || role === candidate.role;
}

/** By its name; by what else it was known, in this order, where it had none. */
function isEqual(target: FlowTarget, candidate: ElementCandidate): boolean {
  if (!hasRole(target, candidate)) return false;
  for (const key of ["name", "label", "placeholder", "text", "near"] as const) {
    if (target[key] !== undefined) return isSameName(target[key], candidate[key]);
  }
  return false;
}

export function isInContainer({ within }: FlowTarget, candidate: ElementCandidate): boolean {
  if (within === undefined) return true;
  return candidate.within.some(
    ({ role, name }) => (within.role === undefined || within.role === role) && isSameName(within.name, name),
  );
}

function narrow(target: FlowTarget, equal: readonly Numbered[]): FoundElement {
  const [first, second] = equal;
  if (first !== undefined && second === undefined) return { kind: "found", index: first.index };
  let left = equal;
  if (target.within !== undefined) left = left.filter(({ candidate }) => isInContainer(target, candidate));
  // Recorded outside of every named container.
  else if (isRecorded(target)) {
    const outside = left.filter(({ candidate }) => candidate.within.length === 0);
    if (outside.length === 1) left = outside;
  }
  if (left.length > 1 && target.near !== undefined && target.name !== undefined) {
    const beside = left.filter(({ candidate }) => isSameName(target.near, candidate.near));
    if (beside.length > 0) left = beside;
  }
  const [sure] = left;
  if (left.length === 1 && sure !== undefined) return { kind: "found", index: sure.index };
  const tied = left.length === 0 ? equal : left;
  const where = left.length === 0 ? ", and none of them in its container" : "";
  return {
    kind: "ambiguous",
    indexes: tied.map(({ index }) => index),
    reason: `${tied.length} elements have its role and name${where}`,
  };
}

/** Only recorded targets say what the element was. */
function isRecorded({ tag, within }: FlowTarget): boolean {
  return tag !== undefined && within === undefined;
}

/** A field without a name, or a target that has nothing but a role: the only one of its role, then and now. */
function onlyOfRole(target: FlowTarget, usable: readonly Numbered[]): FoundElement | null {
  const { role, name, label, placeholder, text, position } = target;
  const isNamed = [name, label, placeholder, text].some((each) => each !== undefined);
  if (role === undefined || isNamed || (position?.of ?? 1) !== 1) return null;
  const ofRole = usable.filter(({ candidate }) => candidate.role === role);
  const inside =
    target.within === undefined ? ofRole : ofRole.filter(({ candidate }) => isInContainer(target, candidate));
  const left = ofRole.length === 1 ? ofRole : inside;
  const [only] = left;
  if (left.length === 1 && only !== undefined) return { kind: "found", index: only.index };
  if (left.length === 0) return null;
  const reason = `${left.length} elements have its role, and it has no name`;
  return { kind: "ambiguous", indexes: left.map(({ index }) => index), reason };
}

/** The n-th of its role in the container that the target names. */
function byPosition(target: FlowTarget, usable: readonly Numbered[]): FoundElement {
  const ofRole = usable.filter(
    ({ candidate }) =>
      hasRole(target, candidate) &&
      isInContainer(target, candidate) &&
      (target.name === undefined || isSameName(target.name, candidate.name)),
  );
  const place = (target.position?.index ?? 1) - 1;
  const chosen = ofRole[place];
  if (chosen !== undefined) return { kind: "found", index: chosen.index };
  return { kind: "none", reason: `there are only ${ofRole.length} of its role` };
}

/** How a target is told from another of the same page: for messages and for a model. */
export function describeCandidate({ role, name, near, within: [container] }: ElementCandidate): string {
  const shown = foldName(name) === "" ? (near ?? "") : name;
  const where = container === undefined ? "" : ` in "${container.name}"`;
  return `${role === "" ? "text" : role} "${shown}"${where}`;
}
