// What an agent or an extraction came to, for people: its data as a table or as JSON, the steps that led there, the pages it used.
import { useState } from "react";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { Badge, Time } from "./common-parts.tsx";
import { Markdown, SafeLink } from "./rendered-markdown.tsx";
import { JsonText } from "./result.tsx";
import { Empty, Loading } from "./states.tsx";
import { Segments, Tabs } from "./tabs.tsx";

type Trace = AnswerOf<"readAgentTrace">;
type TraceEvent = Trace["events"][number];
type Answer = Record<string, unknown>;

export const isAgentAnswer = (endpoint: string) => ["agent", "extract", "deep_research"].includes(endpoint);

/** `agentId`: of an agent, whose steps are kept. */
export function AgentResult({ answer, agentId }: { answer: Answer; agentId?: string | undefined }) {
  const [tab, setTab] = useState("Answer");
  const isRunning = answer.status === "processing";
  const trace = useRead<"readAgentTrace">(`/v2/agent/${agentId}/trace`, {
    isOff: agentId === undefined,
    ...(isRunning ? { everyMs: 3_000 } : {}),
  });
  const events = trace.data?.events ?? [];
  const sources = [...new Set([...listedSources(answer), ...readPages(events)])];
  return (
    <Tabs
      label="Parts of the answer"
      chosen={tab}
      onChoose={setTab}
      tabs={[
        { name: "Answer", panel: <Shown answer={answer} isRunning={isRunning} /> },
        ...(agentId === undefined
          ? []
          : [{ name: "Steps", panel: trace.isPending ? <Loading /> : <Steps events={events} /> }]),
        { name: "Sources", panel: <Sources urls={sources} /> },
        { name: "Response", panel: <JsonText value={answer} /> },
      ]}
    />
  );
}

const looks = ["Table", "JSON"] as const;

function Shown({ answer, isRunning }: { answer: Answer; isRunning: boolean }) {
  const [look, setLook] = useState<(typeof looks)[number]>("Table");
  const { data, partial, message, warning, error } = answer;
  const found = data ?? partial;
  return (
    <div className="stack">
      {typeof error === "string" ? <p className="notice bad">{error}</p> : null}
      {typeof message === "string" ? <Markdown text={message} /> : null}
      {typeof warning === "string" ? <p className="notice">{warning}</p> : null}
      {found === undefined || found === null ? (
        isRunning ? (
          <Empty title="Still working">The answer appears here when the last step is done.</Empty>
        ) : typeof message === "string" ? null : (
          <Empty title="Nothing was found" />
        )
      ) : (
        <>
          <div>
            <Segments label="Show as" values={looks} chosen={look} onChoose={(next) => setLook(next)} />
          </div>
          {look === "JSON" ? <JsonText value={found} /> : <Value value={found} />}
        </>
      )}
    </div>
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Records as a table, their fields as a list, lists of anything else line by line. */
export function Value({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="faint">none</span>;
    return value.every(isRecord) ? (
      <Records records={value} />
    ) : (
      <ul className="lines">
        {value.map((each, place) => (
          <li key={place}>
            <Value value={each} />
          </li>
        ))}
      </ul>
    );
  }
  if (isRecord(value)) {
    return (
      <dl className="facts">
        {Object.entries(value).map(([name, inner]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>
              <Value value={inner} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (value === null || value === undefined || value === "") return <span className="faint">–</span>;
  const text = String(value);
  return /^https?:\/\//.test(text) ? <SafeLink href={text}>{text}</SafeLink> : <>{text}</>;
}

function Records({ records }: { records: readonly Record<string, unknown>[] }) {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
    <section className="table-wrap" aria-label="Data as a table" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, place) => (
            <tr key={place}>
              {names.map((name) => (
                <td key={name}>
                  <Value value={record[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface Step {
  id: string;
  at: string;
  name: string;
  text: string;
  state?: string;
}

/** The start of a call says what was asked for, its end what came of it: together they are one step. */
function stepsOf(events: readonly TraceEvent[]): Step[] {
  const ends = new Map(
    events.flatMap((event) => (event.type === "tool_call.finished" ? [[event.toolCallId, event.result] as const] : [])),
  );
  return events.flatMap((event): Step[] => {
    const step = { id: event.eventId, at: event.occurredAt };
    switch (event.type) {
      case "tool_call.started":
        return [
          { ...step, name: event.toolName, text: inWords(event.parameters), ...endOf(ends.get(event.toolCallId)) },
        ];
      case "reasoning.summary":
        return [{ ...step, name: "thought", text: event.text }];
      case "progress.reported":
        return [{ ...step, name: event.phase, text: event.message }];
      case "error.occurred":
        return [{ ...step, name: "error", text: event.error.message, state: "failed" }];
      case "run.finished":
        return [{ ...step, name: "end", text: event.error?.message ?? "", state: event.outcome }];
      default:
        return [];
    }
  });
}

function endOf(result: unknown): { state?: string } {
  if (result === undefined) return { state: "running" };
  return isRecord(result) && result.found === false ? {} : { state: "ok" };
}

/** A call's arguments as a sentence would have them. */
function inWords(parameters: unknown): string {
  if (!isRecord(parameters)) return String(parameters ?? "");
  return Object.values(parameters)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(" · ");
}

function Steps({ events }: { events: readonly TraceEvent[] }) {
  const steps = stepsOf(events);
  if (steps.length === 0) return <Empty title="No steps yet" />;
  return (
    <ol className="steps">
      {steps.map(({ id, at, name, text, state }) => (
        <li key={id}>
          <span className="attempt">{name}</span>
          <span className="wrap">{text}</span>
          {state ? <Badge state={state} /> : <span />}
          <span className="faint">
            <Time at={at} isShort />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Sources({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return <Empty title="No sources">Ask with showSources to get them for an extraction.</Empty>;
  return (
    <ul className="lines">
      {urls.map((url) => (
        <li key={url} className="wrap">
          <SafeLink href={url}>{url}</SafeLink>
        </li>
      ))}
    </ul>
  );
}

/** By field, or as a list with titles. */
function listedSources({ sources }: Answer): string[] {
  const list = isRecord(sources) ? Object.values(sources).flat() : Array.isArray(sources) ? sources : [];
  return list.flatMap((each) => (typeof each === "string" ? [each] : isRecord(each) ? [String(each.url)] : []));
}

function readPages(events: readonly TraceEvent[]): string[] {
  return events.flatMap((event) => {
    const result = event.type === "tool_call.finished" ? event.result : null;
    return isRecord(result) && result.found === true && typeof result.url === "string" ? [result.url] : [];
  });
}
