// A flow that is an option of a page: read, filled with the values of the request, given to the browser, and healed where it healed.
import { type Clock, ServiceError } from "../../base/index.ts";
import type { FlowParameters, FlowUse, KeptStep } from "../../contract/index.ts";
import type { FlowReport, FlowWork } from "../../engines/index.ts";
import { bindSteps, ParameterFault, readValues, secretsIn } from "../../flows/index.ts";
import type { Asker, LanguageModel } from "../../llm/index.ts";
import type { Store } from "../../store/index.ts";

/** What a run of a flow says beside what every page with a flow does. */
export interface FlowTerms {
  heals?: boolean | undefined;
  stepMs?: number | undefined;
  /** Told how it went, whether or not it came to its end. */
  onEnd?: ((report: FlowReport & { version: number; usedModel: boolean }) => void) | undefined;
}

/** The secrets of one run, as `accounts` opens them. */
export interface OpenedSecrets {
  mask: { text(text: string): string };
  valueFor(name: string, documentUrl: string, signal: AbortSignal): Promise<string>;
}

export interface FlowDeps {
  store: Store;
  clock: Clock;
  model: LanguageModel | null;
  openSecrets(teamId: string, names: Iterable<string>): Promise<OpenedSecrets>;
  settings: { stepMs: number; healScore: number; healLead: number };
}

export interface PreparedFlow {
  work: FlowWork;
  warnings: string[];
  /** How it went, once it was run. */
  report(): (FlowReport & { usedModel: boolean }) | null;
  /** Keeps what healed, when the page was read. */
  finish(): Promise<void>;
}

export type PrepareFlow = ReturnType<typeof createFlowPreparer>;

const role = {
  task: "You find on a web page the element that a step of a recorded task means, after the page's words have changed.",
  answer: "Answer with the number of the line that is the same element, or null when none is or when you are not sure.",
};

const schema = {
  type: "object",
  properties: {
    choice: { type: ["integer", "null"], description: "Number of the line, or null" },
    reason: { type: "string" },
  },
  required: ["choice", "reason"],
};

export function createFlowPreparer({ store, clock, model, openSecrets, settings }: FlowDeps) {
  async function read(teamId: string, { id, version }: FlowUse) {
    const flow = await store.flows.find(teamId, id);
    const row = flow && (await store.flows.readVersion(id, version ?? flow.version));
    if (!flow || !row) throw new ServiceError("FLOW_NOT_FOUND");
    const { steps, parameters } = JSON.parse(row.content) as { steps: KeptStep[]; parameters: FlowParameters };
    return { flow, version: row.version, steps, parameters };
  }

  /** A model sees the step and the lines, and nothing of the page beyond them. */
  function asks(asker: Asker, onAsk: () => void): FlowWork["ask"] {
    if (model === null) return null;
    return async (step, lines) => {
      onAsk();
      const use = await model.open(asker);
      const prompt = use.buildPrompt({
        task: `Which of these is the element of the step: ${step}?`,
        pages: [{ url: "", text: lines.join("\n") }],
        query: step,
        role,
      });
      const check = (value: unknown) => {
        const choice = (value as { choice?: unknown } | null)?.choice;
        const isFit =
          choice === null || (Number.isInteger(choice) && Number(choice) >= 0 && Number(choice) < lines.length);
        return isFit
          ? []
          : [{ path: ["choice"], kind: "wrong" as const, message: "must be the number of a line, or null" }];
      };
      const answer = await use.fill(prompt, { schema, check });
      return answer.ok ? (answer.value as { choice: number | null }).choice : null;
    };
  }

  async function keepHealed(teamId: string, flowId: string, version: number, { healed }: FlowReport): Promise<void> {
    if (healed.length === 0) return;
    await store.transaction(async ({ flows }) => {
      const flow = await flows.lock(teamId, flowId);
      const latest = flow?.version === version ? await flows.readVersion(flowId, version) : null;
      // Another run healed it, or somebody edited it meanwhile.
      if (!flow || !latest) return;
      const content = JSON.parse(latest.content) as { steps: KeptStep[] };
      const targets = new Map(healed.map(({ step, to }) => [step, to]));
      const steps = content.steps.map((step) => ({
        ...step,
        ...(targets.has(step.id) ? { target: targets.get(step.id) } : {}),
      }));
      const now = clock.now();
      const text = JSON.stringify({ ...content, steps });
      const next = {
        flowId,
        version: version + 1,
        by: "healed" as const,
        createdAt: now,
        content: text,
        healed: JSON.stringify(healed),
      };
      await flows.addVersion(next);
      await flows.change(teamId, flowId, { version: version + 1, updatedAt: now });
    });
  }

  return {
    /** Throws what is wrong with it, before anything is opened. */
    async check(
      teamId: string,
      use: FlowUse,
    ): Promise<{ url: string; name: string; version: number; warnings: string[] }> {
      const { flow, version, steps, parameters } = await read(teamId, use);
      const values = valuesOf(parameters, use);
      const [first] = bindSteps(steps.slice(0, 1), values);
      await openSecrets(teamId, secretsIn(steps));
      return { url: first?.step.url ?? flow.url, name: flow.name, version, warnings: unknownNames(values.unknown) };
    },

    async prepare(
      asker: Asker,
      use: FlowUse,
      { heals = true, stepMs = settings.stepMs, onEnd }: FlowTerms = {},
    ): Promise<PreparedFlow> {
      const { teamId } = asker;
      const { flow, version, steps, parameters } = await read(teamId, use);
      const values = valuesOf(parameters, use);
      const bound = bindSteps(steps, values);
      const secrets = await openSecrets(teamId, secretsIn(steps));
      let report: FlowReport | null = null;
      let usedModel = false;
      const work: FlowWork = {
        ...{ id: flow.id, version, mode: use.mode, heals, stepMs, steps: bound, kept: steps, offset: 1 },
        startUrl: bound[0]?.step.url ?? flow.url,
        limits: { score: settings.healScore, lead: settings.healLead },
        ask: asks(asker, () => {
          usedModel = true;
        }),
        secretFor: secrets.valueFor,
        hide: secrets.mask.text,
        onEnd(made) {
          report = made;
          onEnd?.({ ...made, version, usedModel });
        },
      };
      return {
        work,
        warnings: unknownNames(values.unknown),
        report: () => report && { ...report, usedModel },
        finish: async () => {
          if (report !== null) await keepHealed(teamId, flow.id, version, report);
        },
      };
    },
  };
}

function valuesOf(parameters: FlowParameters, { parameters: given = {} }: FlowUse) {
  try {
    return readValues(parameters, given);
  } catch (error) {
    if (!(error instanceof ParameterFault)) throw error;
    throw new ServiceError("FLOW_PARAMETER_MISSING", error.message, { details: { parameter: error.parameter } });
  }
}

function unknownNames(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`The flow has no parameter ${names.join(", ")}.`];
}
