/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Elements of a page for the steps of a flow: read as candidates in the target's frame, and used by a person's means where there are any.
import type { CDPSession, Page } from "playwright-core";
import type { FlowTarget } from "../../contract/index.ts";
import { type ElementCandidate, type FlowFile, isInFrame, rolesLike } from "../../flows/index.ts";
import { type Ask, type ElementKit, kitOf, kitText, type ReadElements } from "./element-kit.ts";
import { type IsolatedWorld, openWorld, sessionOf, sessionOfFrame } from "./isolated-world.ts";
import { notesKey } from "./read-html.ts";

interface Place {
  world: IsolatedWorld;
  session: CDPSession;
  /** Of its upper left corner in the window. */
  left: number;
  top: number;
  frame: NonNullable<ElementCandidate["frame"]>;
}

export interface PageElement extends ElementCandidate {
  isInWindow: boolean;
  place: Place;
  /** Among those that its world has read. */
  number: number;
  documentUrl: string;
}

const maxFrames = 50;
const worldName = "elements";

async function openPlace(
  session: CDPSession,
  id: string | undefined,
  around: Omit<Place, "world" | "session">,
): Promise<Place> {
  const world = await openWorld(session, id, worldName);
  await world.load(kitText);
  return { world, session, ...around };
}

const readIn = ({ world }: Place, ask: Ask) => world.run<Ask, ReadElements>(`(ask) => (${kitOf})().read(ask)`, ask);

/** In the frames that may be the target's. */
export async function readElements(page: Page, target: FlowTarget): Promise<PageElement[]> {
  const { role, text, name, label, placeholder, near } = target;
  const isTextOnly =
    role === undefined && text !== undefined && [name, label, placeholder, near].every((each) => each === undefined);
  const ask: Ask = {
    roles: role === undefined ? [] : rolesLike(role),
    text: isTextOnly ? text : undefined,
    notes: notesKey,
  };
  const main = await openPlace(await sessionOf(page), undefined, { left: 0, top: 0, frame: [] });
  let level = [main];
  const depth = target.frame?.length ?? 0;
  for (let at = 0; at < depth; at += 1) {
    const found = await Promise.all(level.map((place) => enterFrames(page, place, ask, target, at)));
    level = found.flat().slice(0, maxFrames);
  }
  const read = await Promise.all(level.map(async (place) => ({ place, read: await readIn(place, ask) })));
  return read.flatMap(({ place, read: { candidates, url } }) =>
    candidates.map((candidate, number) => ({ ...candidate, frame: place.frame, place, number, documentUrl: url })),
  );
}

async function enterFrames(
  page: Page,
  place: Place,
  ask: Ask,
  { frame = [] }: FlowTarget,
  at: number,
): Promise<Place[]> {
  const { frames } = await readIn(place, { ...ask, roles: ["none"] });
  const entered = await Promise.all(
    frames.map(async ({ name, title, left, top }, number) => {
      const id = await place.world.frameOf(`(number) => (${kitOf})().held.frames[number]`, number);
      if (id === null) return null;
      const corner = { left: place.left + left, top: place.top + top };
      const around = { ...corner, frame: [...place.frame, {}] };
      const inner = await openPlace(place.session, id, around).catch(async () => {
        const session = await ownProcess(page, id);
        return session === null ? null : openPlace(session, undefined, around);
      });
      if (inner === null) return null;
      const { url } = await readIn(inner, { ...ask, roles: ["none"] });
      const own = { name, title, url: url.split(/[?#]/)[0] ?? "" };
      inner.frame = [...place.frame, own];
      const isWanted = isInFrame({ frame: frame.slice(0, at + 1) }, { frame: inner.frame } as ElementCandidate);
      return isWanted ? inner : null;
    }),
  );
  return entered.filter((inner) => inner !== null);
}

async function ownProcess(page: Page, id: string): Promise<CDPSession | null> {
  for (const frame of page.frames().slice(0, maxFrames)) {
    const found = await sessionOfFrame(frame).catch(() => null);
    if (found?.id === id) return found.session;
  }
  return null;
}

/** Where it is clicked: in the middle of the window, with nothing above it. Null where it cannot be. */
export async function aimAt({ place, number }: PageElement): Promise<{ x: number; y: number } | null> {
  const point = await place.world.run<number, ReturnType<typeof aim>>(withKit(aim), number);
  return point === null ? null : { x: place.left + point.x, y: place.top + point.y };
}

const withKit = (program: (given: never, kit: ElementKit) => unknown) => `(given) => (${program})(given, (${kitOf})())`;

// The functions below run in the page.

function aim(number: number, kit: ElementKit): { x: number; y: number } | null {
  const element = kit.held.elements[number];
  const shown = element === undefined ? null : kit.states.shownFor(element);
  if (shown === null) return null;
  if (kit.states.pointOf(shown) === null || window !== window.top)
    Element.prototype.scrollIntoView.call(shown, { block: "center", inline: "center", behavior: "instant" });
  const point = kit.states.pointOf(shown);
  return point !== null && kit.states.isOnTop(shown, point) ? point : null;
}

/** False: it has to be typed. */
function fillByScript({ number, value }: { number: number; value: string }, kit: ElementKit): boolean {
  const element = kit.held.elements[number] as HTMLInputElement;
  const given: Element = element;
  element.focus();
  const type = (Element.prototype.getAttribute.call(element, "type") ?? "").toLowerCase();
  const isField = given instanceof HTMLInputElement || given instanceof HTMLTextAreaElement;
  if (isField && /^(date|time|datetime-local|month|week|color|range)$/.test(type)) {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    write?.call(element, value);
    if (element.value !== value && type !== "range") throw new Error("the field does not take this value");
    for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
    return true;
  }
  if (isField) element.select();
  else {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  }
  return false;
}

/** Names of the options that it does not have. */
function choose({ number, wanted }: { number: number; wanted: readonly string[] }, kit: ElementKit): string[] {
  const element = kit.held.elements[number] as HTMLSelectElement;
  const fold = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const options = [...element.options];
  const chosen = wanted.map(
    (each) =>
      options.find((option) => fold(option.label) === fold(each)) ?? options.find((option) => option.value === each),
  );
  const missing = wanted.filter((_, place) => chosen[place] === undefined || chosen[place]?.disabled === true);
  if (missing.length > 0) return missing;
  element.focus();
  for (const option of options) option.selected = chosen.includes(option);
  for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  return [];
}

function putFile(
  { number, file: { filename, content, contentType } }: { number: number; file: FlowFile },
  kit: ElementKit,
): void {
  const element = kit.held.elements[number] as HTMLInputElement;
  const bytes = Uint8Array.from(atob(content.replace(/\s/g, "")), (each) => each.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], filename, contentType === undefined ? {} : { type: contentType }));
  element.files = files.files;
  for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
}

function isChecked(number: number, kit: ElementKit): boolean {
  const element = kit.held.elements[number] as HTMLInputElement;
  return element instanceof HTMLInputElement
    ? element.checked
    : Element.prototype.getAttribute.call(element, "aria-checked") === "true";
}

function focus(number: number, kit: ElementKit): void {
  (kit.held.elements[number] as HTMLElement).focus();
}

export const inPage = {
  fillByScript: ({ place, number }: PageElement, value: string) =>
    place.world.run<unknown, ReturnType<typeof fillByScript>>(withKit(fillByScript), { number, value }),
  choose: ({ place, number }: PageElement, wanted: readonly string[]) =>
    place.world.run<unknown, ReturnType<typeof choose>>(withKit(choose), { number, wanted }),
  putFile: ({ place, number }: PageElement, file: FlowFile) =>
    place.world.run<unknown, ReturnType<typeof putFile>>(withKit(putFile), { number, file }),
  isChecked: ({ place, number }: PageElement) =>
    place.world.run<unknown, ReturnType<typeof isChecked>>(withKit(isChecked), number),
  focus: ({ place, number }: PageElement) => place.world.run<unknown, ReturnType<typeof focus>>(withKit(focus), number),
  target: ({ place, number, frame = [] }: PageElement): Promise<FlowTarget> =>
    place.world
      .run<number, FlowTarget>(
        `(number) => { const kit = (${kitOf})(); return kit.target(kit.held.elements[number]); }`,
        number,
      )
      .then((target) => (frame.length === 0 ? target : { ...target, frame: [...frame] })),
};
