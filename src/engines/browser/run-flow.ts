// Does the steps of a flow on a page. A step that is not sure of its element does nothing, and nothing after it is done.
import type { Dialog, Page } from "playwright-core";
import { ServiceError } from "../../base/index.ts";
import type { FlowTarget, KeptStep } from "../../contract/index.ts";
import {
  type BoundStep,
  describeCandidate,
  findElement,
  healByRules,
  scoreCandidates,
  stepInWords,
  type Use,
} from "../../flows/index.ts";
import { aimAt, inPage, type PageElement, readElements } from "./flow-elements.ts";
import type { DoneStep, FlowWork, HealedStep } from "./flow-work.ts";
import type { RenderFailureCode } from "./render.ts";
import { isCrash, readNavigationError, VisitFailure } from "./visit-failure.ts";
import { pauseFor } from "./wait-until-settled.ts";
import type { Windows } from "./windows.ts";

export interface FlowRunOptions {
  flow: FlowWork;
  /** In order of opening. */
  pages: readonly Page[];
  windows: Windows;
  settle(page: Page): Promise<void>;
  /** When the whole run ends, by performance.now(). */
  endsAt: number;
  signal: AbortSignal;
}

type StepFault = "FLOW_STEP_NOT_FOUND" | "FLOW_STEP_AMBIGUOUS" | "FLOW_STEP_FAILED" | "FLOW_TIMEOUT";

class Fault extends Error {
  readonly code: StepFault;

  constructor(code: StepFault, message: string) {
    super(message);
    this.code = code;
  }
}

const lookMs = 100;
/** A page that is being made may show the same twice for a moment. */
const ambiguousMs = 1000;
const tellingMs = 1500;
const mostModelCalls = 3;
const mostCandidates = 5;
const openMs = 30_000;
const uses: Partial<Record<KeptStep["type"], Use>> = {
  fill: "fill",
  select: "select",
  check: "check",
  upload: "upload",
  wait: "look",
};
/** What changes nothing that has to be waited for. */
const still = new Set<KeptStep["type"]>(["fill", "wait", "hover", "dialog"]);

/** Returns the page where it ended. Throws a VisitFailure that says which step could not be done, and why. */
export async function runFlow(options: FlowRunOptions): Promise<Page> {
  const { flow, pages, windows, settle, endsAt } = options;
  const { steps } = flow;
  const done: DoneStep[] = [];
  const healed: HealedStep[] = [];
  const state = { modelCalls: 0, seen: [] as PageElement[], dialogs: 0 };
  let page = pages[0] as Page;
  for (let at = flow.offset; at < steps.length; at += 1) {
    const bound = steps[at] as BoundStep;
    const { step } = bound;
    const since = performance.now();
    try {
      page = await pageOf(options, step, page);
      state.seen = [];
      const next = steps[at + 1]?.step;
      const answered = next?.type === "dialog" ? answerNext(page, next, () => (state.dialogs += 1)) : null;
      const how = await doStep(options, bound, page, state, { index: at, healed });
      done.push({ id: step.id, type: step.type, status: how, ms: Math.round(performance.now() - since) });
      if (how === "skipped") answered?.();
      if (!still.has(step.type) && how !== "skipped") {
        await windows.follow(Math.min(openMs, Math.max(1, endsAt - performance.now())));
        if (!page.isClosed()) await settle(page);
      }
    } catch (error) {
      flow.onEnd({ steps: done, healed });
      throw await describe(options, error, { bound, index: at, page, seen: state.seen, done });
    }
  }
  flow.onEnd({ steps: done, healed });
  return page.isClosed() ? windows.page : page;
}

interface State {
  modelCalls: number;
  seen: PageElement[];
  dialogs: number;
}

/** The window that a step names; one that is on its way is waited for. */
async function pageOf(
  { pages, flow, endsAt }: FlowRunOptions,
  { page: number = 0 }: KeptStep,
  current: Page,
): Promise<Page> {
  const until = Math.min(endsAt - tellingMs, performance.now() + flow.stepMs);
  while (pages[number] === undefined && performance.now() < until) await pauseFor(lookMs);
  const page = pages[number];
  if (page === undefined) throw new Fault("FLOW_STEP_NOT_FOUND", `there is no window ${number}`);
  if (page.isClosed()) throw new Fault("FLOW_STEP_FAILED", `the window ${number} is closed`);
  if (page !== current) await page.bringToFront().catch(() => undefined);
  return page;
}

/** Returns how not to. */
function answerNext(page: Page, { accept, value }: KeptStep, onAnswer: () => void): () => void {
  const answer = (dialog: Dialog) => {
    onAnswer();
    const answering =
      accept === false ? dialog.dismiss() : dialog.accept(value === undefined ? undefined : String(value));
    answering.catch(() => undefined);
  };
  page.once("dialog", answer);
  return () => page.off("dialog", answer);
}

async function doStep(
  options: FlowRunOptions,
  bound: BoundStep,
  page: Page,
  state: State,
  place: { index: number; healed: HealedStep[] },
): Promise<DoneStep["status"]> {
  const { step } = bound;
  const { type, target, milliseconds, key, direction, pixels = 600 } = step;
  const { flow, endsAt } = options;
  const left = (most: number) => Math.max(1, Math.min(most, endsAt - performance.now() - tellingMs));
  if (left(2) <= 1) throw new Fault("FLOW_TIMEOUT", "the time of the flow is over");
  const sign = direction === "up" ? -1 : 1;
  const plain: Partial<Record<KeptStep["type"], () => Promise<unknown>>> = {
    navigate: () => page.goto(step.url ?? "", { waitUntil: "domcontentloaded", timeout: left(openMs) }),
    back: () => page.goBack({ waitUntil: "domcontentloaded", timeout: left(openMs) }),
    close: () => page.close(),
    dialog: () => awaitDialog(state, left(flow.stepMs)),
    ...(target === undefined
      ? {
          wait: () => pauseFor(left(milliseconds ?? 0)),
          press: () => page.keyboard.press(key ?? ""),
          scroll: () => page.mouse.wheel(0, sign * pixels),
        }
      : {}),
  };
  const simple = plain[type];
  if (simple !== undefined) {
    await simple();
    return "done";
  }
  const found = await locate(options, bound, page, state);
  if (found === null) {
    if (step.optional === true) return "skipped";
    return heal(options, bound, page, state, place);
  }
  await use(options, bound, page, found);
  return "done";
}

async function awaitDialog(state: State, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (state.dialogs === 0 && performance.now() < until) await pauseFor(lookMs);
  if (state.dialogs === 0) throw new Fault("FLOW_STEP_NOT_FOUND", "no dialog came");
  state.dialogs -= 1;
}

/** Null where none is there after the waiting time. Throws where several could be meant. */
async function locate(
  { flow, endsAt }: FlowRunOptions,
  { step }: BoundStep,
  page: Page,
  state: State,
): Promise<PageElement | null> {
  const target = step.target as FlowTarget;
  const since = performance.now();
  const until = Math.min(endsAt - tellingMs, since + flow.stepMs);
  for (;;) {
    const elements = await readElements(page, target).catch((error: unknown) => {
      // It goes to another document just now.
      if (isCrash(error) || page.isClosed()) throw error;
      return [];
    });
    state.seen = elements;
    const finding = findElement(target, elements, uses[step.type] ?? "click");
    const now = performance.now();
    if (finding.kind === "found") {
      const element = elements[finding.index] as PageElement;
      if (uses[step.type] === "look" || uses[step.type] === "upload" || element.isInWindow) return element;
      // What is above it shows only when it is in the window.
      await aimAt(element).catch(() => null);
      const again = await readElements(page, target).catch(() => []);
      const sure = findElement(target, again, uses[step.type] ?? "click");
      if (sure.kind === "found" && again[sure.index]?.isInWindow) return again[sure.index] ?? null;
    } else if (finding.kind === "ambiguous" && now - since >= Math.min(ambiguousMs, flow.stepMs)) {
      throw new Fault("FLOW_STEP_AMBIGUOUS", finding.reason);
    }
    if (now >= until) return null;
    await pauseFor(lookMs);
  }
}

/** What its element has become, by rules or by a model. Throws where that is not sure. */
async function heal(
  { flow, signal, ...options }: FlowRunOptions,
  bound: BoundStep,
  page: Page,
  state: State,
  { index, healed }: { index: number; healed: HealedStep[] },
): Promise<"healed"> {
  const { step, isNamedByCaller } = bound;
  const target = step.target as FlowTarget;
  const none = new Fault("FLOW_STEP_NOT_FOUND", "no element on the page has its role and name");
  if (!flow.heals || isNamedByCaller || target.by === "position") throw none;
  const scored = scoreCandidates(target, state.seen, uses[step.type] ?? "click");
  const ruled = healByRules(scored, target, flow.limits);
  let chosen = ruled === null ? null : { ...ruled, by: "rules" as "rules" | "model" };
  if (chosen === null && flow.ask !== null && scored.length > 0 && state.modelCalls < mostModelCalls) {
    state.modelCalls += 1;
    const lines = scored.map(({ candidate }, place) => `[${place}] ${describeCandidate(candidate)}`);
    const choice = await flow.ask(stepInWords(step), lines, signal);
    const picked = choice === null ? undefined : scored[choice];
    if (picked !== undefined) chosen = { ...picked, by: "model", reasons: ["chosen by the model"] };
  }
  if (chosen === null)
    throw scored.length === 0 ? none : new Fault("FLOW_STEP_NOT_FOUND", "no element is like it for sure");
  const element = state.seen[chosen.index] as PageElement;
  const to = await inPage.target(element);
  await use({ flow, signal, ...options }, bound, page, element);
  const from = flow.kept[index]?.target ?? target;
  healed.push({ step: step.id, index, by: chosen.by, score: chosen.score, from, to, reasons: chosen.reasons });
  return "healed";
}

async function use(
  { flow, endsAt, signal }: FlowRunOptions,
  bound: BoundStep,
  page: Page,
  element: PageElement,
): Promise<void> {
  const { step, secret, file } = bound;
  const { type, value, checked = true, key } = step;
  const aim = async () => {
    const point = await aimAt(element);
    if (point === null) throw new Fault("FLOW_STEP_FAILED", "another element covers it");
    return point;
  };
  switch (type) {
    case "click":
    case "doubleClick": {
      const { x, y } = await aim();
      return page.mouse.click(x, y, { clickCount: type === "click" ? 1 : 2 });
    }
    case "hover": {
      const { x, y } = await aim();
      return page.mouse.move(x, y);
    }
    case "fill": {
      const text = secret === null ? String(value ?? "") : await flow.secretFor(secret, element.documentUrl, signal);
      if (await inPage.fillByScript(element, text)) return;
      if (text === "") await page.keyboard.press("Delete");
      else await page.keyboard.insertText(text);
      return;
    }
    case "select": {
      const wanted = [value ?? []].flat();
      const until = Math.min(endsAt - tellingMs, performance.now() + flow.stepMs);
      for (;;) {
        const missing = await inPage.choose(element, wanted);
        if (missing.length === 0) return;
        if (performance.now() >= until) throw new Fault("FLOW_STEP_FAILED", `it has no option “${missing[0]}”`);
        await pauseFor(lookMs);
      }
    }
    case "check": {
      if ((await inPage.isChecked(element)) === checked) return;
      const { x, y } = await aim();
      await page.mouse.click(x, y);
      const is = await inPage.isChecked(element).catch(() => checked);
      if (is !== checked) throw new Fault("FLOW_STEP_FAILED", "a click did not change it");
      return;
    }
    case "upload":
      if (file === null) throw new Fault("FLOW_STEP_FAILED", "its file is missing");
      return inPage.putFile(element, file);
    case "press":
      await inPage.focus(element);
      return page.keyboard.press(key ?? "");
    case "scroll":
      await aimAt(element);
      return page.mouse.wheel(0, (step.direction === "up" ? -1 : 1) * (step.pixels ?? 600));
    default:
      return;
  }
}

interface FailedStep {
  bound: BoundStep;
  index: number;
  page: Page;
  seen: readonly PageElement[];
  done: readonly DoneStep[];
}

async function describe(
  { flow, endsAt, signal }: FlowRunOptions,
  error: unknown,
  failed: FailedStep,
): Promise<unknown> {
  if (isCrash(error) || error instanceof VisitFailure) return error;
  const { bound, index, page, seen, done } = failed;
  const { step } = bound;
  const isLate = signal.aborted || endsAt - performance.now() <= tellingMs + lookMs;
  const code: RenderFailureCode =
    error instanceof ServiceError && error.code === "SECRET_HOST_MISMATCH"
      ? "SECRET_HOST_MISMATCH"
      : isLate
        ? "FLOW_TIMEOUT"
        : error instanceof Fault
          ? error.code
          : step.type === "navigate" && readNavigationError(error, null).code === "URL_NOT_ALLOWED"
            ? "URL_NOT_ALLOWED"
            : "FLOW_STEP_FAILED";
  const said = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  const reason = flow.hide(said.replace(/^[\w.]+: /, "").slice(0, 300));
  const scored = step.target === undefined ? [] : scoreCandidates(step.target, seen, uses[step.type] ?? "click");
  const candidates = scored.slice(0, mostCandidates).map(
    ({
      candidate: {
        role,
        name,
        within: [within],
      },
      score,
      reasons,
    }) => ({
      ...{ role, name: flow.hide(name), within: within ?? null, score, reasons },
    }),
  );
  const details = {
    ...{ flowId: flow.id, version: flow.version, step: step.id, index, type: step.type, target: step.target, reason },
    ...{ url: flow.hide(page.url()), candidates, steps: done },
  };
  const message = code === "SECRET_HOST_MISMATCH" ? said : `Step ${index + 1}, ${stepInWords(step)}: ${reason}`;
  return new VisitFailure(code, message, { details });
}
