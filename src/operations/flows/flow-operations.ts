// Flows as callers see them: made, shown, changed, restored, exported. What runs them is beside.
import { cutPage, isoTime, newId, readCursor, refusedField, ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { namesIn, secretsIn, withIds, writePlaywright } from "../../flows/index.ts";
import type { FlowRow, FlowVersionRow } from "../../store/index.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { type FlowContent, readFlowContent, showFlow, showListed, versionRow } from "./flow-record.ts";
import { type FlowSource, startOf } from "./flow-source.ts";

const maxFlows = 1000;

/** Reads what a flow is to be made of. */
export type ReadSource = (
  input: OperationInput<"createFlow">,
  caller: Parameters<NonNullable<ServedOperations["createFlow"]>>[1],
  signal: AbortSignal,
) => Promise<FlowSource>;

/** Flows and their versions as they lie in their rows. */
function openVersions(store: OperationParts["store"], clock: OperationParts["clock"]) {
  async function find(teamId: string, id: string): Promise<FlowRow> {
    const flow = await store.flows.find(teamId, id);
    if (!flow) throw new ServiceError("FLOW_NOT_FOUND");
    return flow;
  }

  async function findVersion(flow: FlowRow, version = flow.version): Promise<FlowVersionRow> {
    const row = await store.flows.readVersion(flow.id, version);
    if (!row) throw new ServiceError("FLOW_NOT_FOUND", `The flow has no version ${version}.`);
    return row;
  }

  /** Makes a version the latest; `change` gets the flow while nothing else can change it. */
  function addVersion(
    teamId: string,
    id: string,
    change: (
      flow: FlowRow,
      latest: FlowContent,
    ) => Promise<{ by: FlowVersionRow["by"] | null; content: FlowContent; own?: Partial<FlowRow> }>,
  ) {
    return store.transaction(async (statements) => {
      const flow = await statements.flows.lock(teamId, id);
      if (!flow) throw new ServiceError("FLOW_NOT_FOUND");
      const latest = await statements.flows.readVersion(id, flow.version);
      if (!latest) throw new ServiceError("FLOW_NOT_FOUND");
      const { by, content, own = {} } = await change(flow, readFlowContent(latest));
      const now = clock.now();
      const next = by === null ? latest : versionRow(id, flow.version + 1, by, content, { createdAt: now });
      const { length: stepCount } = content.steps;
      const changes = { ...own, version: next.version, stepCount, url: startOf(content.steps), updatedAt: now };
      if (by !== null) await statements.flows.addVersion(next);
      await statements.flows.change(teamId, id, changes);
      return showFlow({ ...flow, ...changes }, next);
    });
  }

  return { find, findVersion, addVersion };
}

export function createFlowOperations({ store, clock }: OperationParts, readSource: ReadSource) {
  const { find, findVersion, addVersion } = openVersions(store, clock);

  return {
    async createFlow(input, caller, signal) {
      const { teamId, keyId } = caller;
      if ((await store.flows.count(teamId)) >= maxFlows) throw new ServiceError("FLOW_LIMIT");
      const { steps, parameters, source, warnings } = await readSource(input, caller, signal);
      const now = clock.now();
      const id = newId(now);
      const { name, description = null } = input;
      const flow: FlowRow = {
        ...{ id, teamId, keyId, name, description, version: 1, source, url: startOf(steps) },
        ...{ stepCount: steps.length, createdAt: now, updatedAt: now, lastRunAt: null, lastRunStatus: null },
      };
      const version = versionRow(id, 1, "created", { steps, parameters }, { createdAt: now });
      await store.transaction((statements) => statements.flows.insert(flow, version));
      return { success: true, flow: showFlow(flow, version), ...warningOf(warnings) };
    },

    async listFlows({ limit, cursor }, { teamId }) {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await store.flows.list(teamId, limit + 1, before);
      const { page, cursor: next, hasMore } = cutPage(rows, limit, ({ id, createdAt }) => ({ createdAt, rowId: id }));
      return { success: true, flows: page.map(showListed), cursor: next, has_more: hasMore };
    },

    async readFlow({ id, version }, { teamId }) {
      const flow = await find(teamId, id);
      return { success: true, flow: showFlow(flow, await findVersion(flow, version)) };
    },

    async updateFlow({ id, name, description, steps, parameters }, { teamId }) {
      const flow = await addVersion(teamId, id, async (_flow, latest) => {
        const content = {
          steps: steps === undefined ? latest.steps : withIds(steps),
          parameters: parameters ?? latest.parameters,
        };
        if (content.steps[0]?.type !== "navigate")
          throw refusedField(["steps", 0, "type"], "The first step must be navigate");
        const unknown = [...namesIn(content.steps)].find((each) => !Object.hasOwn(content.parameters, each));
        if (unknown !== undefined)
          throw refusedField(["parameters"], `The steps use the parameter ${unknown}, which is missing`);
        const own = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
        return { by: steps === undefined && parameters === undefined ? null : "edited", content, own };
      });
      return { success: true, flow };
    },

    async deleteFlow({ id }, { teamId }) {
      await find(teamId, id);
      await store.transaction((statements) => statements.flows.remove(teamId, id));
      return { success: true };
    },

    async listFlowVersions({ id }, { teamId }) {
      await find(teamId, id);
      const rows = await store.flows.listVersions(id);
      const versions = rows.map(({ version, createdAt, by, healed }) => ({
        ...{ version, createdAt: isoTime(createdAt), by, healed: JSON.parse(healed) },
      }));
      return { success: true, versions };
    },

    async restoreFlow({ id, version }, { teamId }) {
      const content = readFlowContent(await findVersion(await find(teamId, id), version));
      return { success: true, flow: await addVersion(teamId, id, async () => ({ by: "restored", content })) };
    },

    async listFlowRuns({ id, limit, cursor }, { teamId }) {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await store.flows.listRuns(teamId, id, limit + 1, before);
      if (rows.length === 0) await find(teamId, id);
      const place = ({ id: rowId, startedAt }: (typeof rows)[number]) => ({ createdAt: startedAt, rowId });
      const { page, cursor: next, hasMore } = cutPage(rows, limit, place);
      const runs = page.map(({ id: runId, version, status, startedAt, durationMs, healed, error }) => ({
        ...{ id: runId, version, status, startedAt: isoTime(startedAt), durationMs, healed },
        ...(error === null ? {} : { error }),
      }));
      return { success: true, runs, cursor: next, has_more: hasMore };
    },

    async exportFlow({ id, format }, { teamId }) {
      const row = await find(teamId, id);
      const flow = showFlow(row, await findVersion(row));
      const isModule = format === "playwright";
      const { name, description, url, parameters, steps } = flow;
      const content = { name, description, url, parameters, secrets: secretsIn(steps), steps };
      const text = isModule
        ? writePlaywright({ name, parameters, steps: withIds(steps) })
        : JSON.stringify({ format: "trawl-flow", formatVersion: 1, flow: content }, null, 2);
      const type = isModule ? "text/javascript; charset=utf-8" : "application/json; charset=utf-8";
      return { type, name: `flow-${id}.${isModule ? "mjs" : "json"}`, chunks: once(text) };
    },
  } satisfies ServedOperations;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
