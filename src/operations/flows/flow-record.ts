// A flow as it lies in its rows and as its team sees it.
import { isoTime } from "../../base/index.ts";
import type { FlowParameters, KeptStep, OperationOutput } from "../../contract/index.ts";
import { secretsIn } from "../../flows/index.ts";
import type { FlowRow, FlowVersionRow } from "../../store/index.ts";

export type FlowView = OperationOutput<"readFlow">["flow"];
type HealedTarget = OperationOutput<"runFlow">["healed"][number];

/** What a version holds. */
export interface FlowContent {
  steps: KeptStep[];
  parameters: FlowParameters;
}

export function readFlowContent({ content }: Pick<FlowVersionRow, "content">): FlowContent {
  return JSON.parse(content);
}

export function versionRow(
  flowId: string,
  version: number,
  by: FlowVersionRow["by"],
  content: FlowContent,
  more: { createdAt: number; healed?: readonly HealedTarget[] },
): FlowVersionRow {
  const { createdAt, healed = [] } = more;
  return { flowId, version, by, createdAt, content: JSON.stringify(content), healed: JSON.stringify(healed) };
}

export function showFlow(flow: FlowRow, version: FlowVersionRow): FlowView {
  const { steps, parameters } = readFlowContent(version);
  return { ...summaryOf(flow), version: version.version, parameters, secrets: secretsIn(steps), steps };
}

export function showListed(flow: FlowRow) {
  const { stepCount, lastRunAt, lastRunStatus } = flow;
  return { ...summaryOf(flow), stepCount, lastRunAt: lastRunAt === null ? null : isoTime(lastRunAt), lastRunStatus };
}

function summaryOf({ id, name, description, version, createdAt, updatedAt, source, url }: FlowRow) {
  return {
    id,
    name,
    ...(description === null ? {} : { description }),
    version,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    source: source as FlowView["source"],
    url,
  };
}
