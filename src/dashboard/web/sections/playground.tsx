// Try everything without writing a line: a form, its result, the same request as code, and what was run before.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { diffLines } from "../../../text/index.ts";
import { type CallError, call } from "../api/call.ts";
import { useRead, useSession } from "../api/queries.ts";
import { AgentResult } from "../parts/agent-result.tsx";
import { Sides } from "../parts/before-and-after.tsx";
import { Card, Code, Copy, count, countOf, SectionHead, Time } from "../parts/common-parts.tsx";
import { Table } from "../parts/data-table.tsx";
import { ActionButton, Choice, InputField } from "../parts/form-parts.tsx";
import { RequestError } from "../parts/request-error.tsx";
import { DocumentTabs, JsonText, type ShownStep } from "../parts/result.tsx";
import { Empty, Loaded, Loading } from "../parts/states.tsx";
import { Segments } from "../parts/tabs.tsx";
import { type CodeLanguage, codeFor, languages } from "./playground-code.ts";
import { AnyRequestForm, type FormShape, RequestForm } from "./playground-form.tsx";
import {
  type Body,
  operationNamed,
  type PastRun,
  type PlayRequest,
  playKinds,
  playLink,
  playNames,
  readHandedOver,
  readHistory,
  shortLink,
  unfilledBody,
  withRun,
} from "./playground-request.ts";

interface Outcome extends PlayRequest {
  answer: Record<string, unknown>;
  ms: number;
  at: number;
}

/** Results of this visit, kept to be compared. */
const mostOutcomes = 8;

export function PlaygroundSection() {
  const [handedOver] = useState(readHandedOver);
  const [{ operation, body }, setRequest] = useState<PlayRequest>(handedOver);
  const [version, setVersion] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const [history, setHistory] = useState(readHistory);
  const [isCompared, setCompared] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const form = useRead<"readForm">(`/dashboard/api/forms/${operation}`, { isOff: operation === "request" });
  const run = useMutation<Outcome, CallError, PlayRequest>({
    mutationFn: (request) => perform(request, form.data, file),
    onSuccess: (outcome) => setOutcomes((before) => [outcome, ...before].slice(0, mostOutcomes)),
  });

  function choose(next: PlayRequest) {
    setRequest(next);
    setVersion(version + 1);
    run.reset();
  }
  function start() {
    setHistory(withRun(history, { operation, body, at: Date.now() }));
    const { play: _, ...state } = (window.history.state ?? {}) as { play?: unknown };
    window.history.replaceState(state, "", shortLink({ operation, body }));
    run.mutate({ operation, body });
  }
  const isReady = operation === "request" || form.data !== undefined;
  const isDue = useRef(handedOver.isRun);
  useEffect(() => {
    if (!isReady || !isDue.current) return;
    isDue.current = false;
    start();
  });

  return (
    <>
      <SectionHead title="Playground" about="Any API request, as a form. It counts and costs like any other request.">
        <Copy label="Copy link" text={`${window.location.origin}${playLink({ operation, body })}`} />
      </SectionHead>
      <div className="stack">
        <div>
          <Segments
            label="Operation"
            values={playNames}
            chosen={playKinds[operation].name}
            onChoose={(name) => {
              const next = operationNamed(name);
              choose({ operation: next, body: unfilledBody(next) });
            }}
          />
        </div>
        <div className="play">
          <Card>
            <form
              className="card-body stack"
              onSubmit={(event: FormEvent) => {
                event.preventDefault();
                start();
              }}
            >
              {operation === "parse" ? (
                <InputField
                  label="File"
                  type="file"
                  required
                  onChange={(event) => setFile(event.target.files?.[0] ?? null)}
                />
              ) : null}
              {operation === "request" ? (
                <AnyRequestForm key={version} body={body} onChange={(next) => setRequest({ operation, body: next })} />
              ) : (
                <Loaded of={form}>
                  {(data) => (
                    <RequestForm
                      key={`${operation} ${version}`}
                      form={data}
                      common={playKinds[operation].common}
                      body={body}
                      onChange={(next) => setRequest({ operation, body: next })}
                    />
                  )}
                </Loaded>
              )}
              <button type="submit" className="button primary" disabled={run.isPending || !isReady}>
                {run.isPending ? "Running …" : "Run"}
              </button>
            </form>
          </Card>
          <div className="stack">
            <Card title="Result" actions={run.data ? <Facts outcome={run.data} /> : null}>
              {run.isPending ? <Loading /> : null}
              {run.error ? (
                <div className="card-body">
                  <RequestError error={run.error} />
                </div>
              ) : null}
              {run.data ? <Result key={run.data.at} outcome={run.data} /> : null}
              {run.isIdle ? <Empty title="Nothing run yet">Fill in the form and press Run.</Empty> : null}
            </Card>
            {outcomes.length > 1 ? (
              <Comparison
                key={outcomes[0]?.at}
                outcomes={outcomes}
                isOpen={isCompared}
                onToggle={() => setCompared(!isCompared)}
              />
            ) : null}
            {operation !== "request" && form.data ? (
              <AsCode operation={operation} form={form.data} body={body} />
            ) : null}
            <History runs={history} onChoose={choose} />
          </div>
        </div>
      </div>
    </>
  );
}

async function perform(
  { operation, body }: PlayRequest,
  form: FormShape | undefined,
  file: File | null,
): Promise<Outcome> {
  const startedAt = performance.now();
  const answer = await send({ operation, body }, form, file);
  return { operation, body, answer, ms: performance.now() - startedAt, at: Date.now() };
}

async function send({ operation, body }: PlayRequest, form: FormShape | undefined, file: File | null) {
  type Answer = Record<string, unknown>;
  if (operation === "request") {
    const { method, path, body: sent } = body as { method: "GET" | "POST"; path: string; body?: unknown };
    return call<Answer>(method, path, method === "GET" ? undefined : sent);
  }
  const path = form?.path ?? "";
  const isTraced = operation === "scrape";
  const sent =
    operation === "parse" ? toForm(body, file) : { ...(isTraced ? { trace: true } : {}), ...body, origin: "dashboard" };
  const answer = await call<Answer>("POST", path, sent);
  const isAwaited = operation === "startExtract" || operation === "startAgent";
  return isAwaited && typeof answer.id === "string" ? { ...(await follow(path, answer.id)), id: answer.id } : answer;
}

/** A job's status until it has ended. */
async function follow(path: string, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const status = await call<Record<string, unknown>>("GET", `${path}/${id}`);
    if (status.status !== "processing") return status;
    await new Promise((later) => setTimeout(later, 1000));
  }
}

function toForm(body: Body, file: File | null): FormData {
  const form = new FormData();
  if (file) form.set("file", file);
  form.set("options", JSON.stringify(body));
  return form;
}

function Facts({ outcome: { answer, ms } }: { outcome: Outcome }) {
  const data = (answer.data ?? {}) as { metadata?: { creditsUsed?: number; statusCode?: number } };
  const credits = answer.creditsUsed ?? data.metadata?.creditsUsed;
  const parts = [
    typeof credits === "number" ? countOf(credits, "credit") : null,
    data.metadata?.statusCode ? `HTTP ${data.metadata.statusCode}` : null,
    `${count(Math.round(ms))} ms`,
  ];
  return <span className="faint">{parts.filter(Boolean).join(" · ")}</span>;
}

const crawlsOf: Readonly<Record<string, string>> = { startCrawl: "crawl", startBatch: "batch_scrape" };

function Result({ outcome: { operation, answer } }: { outcome: Outcome }) {
  if ((operation === "scrape" || operation === "parse") && typeof answer.data === "object" && answer.data !== null) {
    const document = answer.data as Record<string, unknown>;
    return <DocumentTabs document={document} steps={(answer.trace ?? document.trace) as ShownStep[] | undefined} />;
  }
  if (operation === "map") return <DocumentTabs document={answer} />;
  if (operation === "search" && typeof answer.data === "object" && answer.data !== null)
    return <DocumentTabs document={{ ...answer, ...answer.data }} />;
  if (operation === "startExtract" || operation === "startAgent") {
    const { id, ...own } = answer;
    return <AgentResult answer={own} agentId={operation === "startAgent" && typeof id === "string" ? id : undefined} />;
  }
  const endpoint = crawlsOf[operation];
  return (
    <div className="card-body stack">
      {endpoint && typeof answer.id === "string" ? (
        <p className="notice good">
          {operation === "startCrawl" ? "The crawl has started. " : "The batch has started. "}
          {operation === "startCrawl" ? (
            <Link to="/crawls/$id" params={{ id: answer.id }}>
              Watch it
            </Link>
          ) : (
            <Link to="/activity/$endpoint/$id" params={{ endpoint, id: answer.id }}>
              Open it
            </Link>
          )}
        </p>
      ) : null}
      <JsonText value={answer} />
    </div>
  );
}

interface ComparisonProps {
  outcomes: readonly Outcome[];
  isOpen: boolean;
  onToggle(): void;
}

/** Two results of this visit, line by line: at first the latest and the one before. */
function Comparison({ outcomes, isOpen, onToggle }: ComparisonProps) {
  const names = outcomes.map(({ at }) => String(at));
  const [before, setBefore] = useState(names[1] ?? "");
  const [after, setAfter] = useState(names[0] ?? "");
  const find = (at: string) => outcomes.find((outcome) => String(outcome.at) === at);
  const nameOf = (at: string) => {
    const outcome = find(at);
    return outcome ? `${playKinds[outcome.operation].name} ${new Date(outcome.at).toLocaleTimeString()}` : at;
  };
  return (
    <Card
      title="Compare results"
      actions={
        <ActionButton kind="small" aria-expanded={isOpen} onClick={onToggle}>
          {isOpen ? "Hide" : "Show differences"}
        </ActionButton>
      }
    >
      {isOpen ? (
        <div className="card-body stack">
          <div className="grid pair">
            <Choice label="Before" values={names} chosen={before} onChoose={setBefore} nameOf={nameOf} />
            <Choice label="After" values={names} chosen={after} onChoose={setAfter} nameOf={nameOf} />
          </div>
          <Differences before={find(before)} after={find(after)} />
        </div>
      ) : null}
    </Card>
  );
}

function Differences({ before, after }: Record<"before" | "after", Outcome | undefined>) {
  if (!before || !after) return null;
  const { text, additions, deletions } = diffLines(asText(before), asText(after));
  if (text === "") return <Empty title="No differences">Both results are the same.</Empty>;
  return (
    <>
      <p className="faint">
        {countOf(additions, "line")} added, {countOf(deletions, "line")} removed
      </p>
      <Sides diff={text} />
    </>
  );
}

/** The text of a page as its lines; everything else as JSON, without what is new with each request. */
function asText({ answer }: Outcome): string {
  const { trace: _, ...rest } = answer;
  const data = (rest.data ?? {}) as Record<string, unknown>;
  const { markdown } = data;
  if (typeof markdown !== "string") return JSON.stringify(rest, null, 2);
  const { metadata: _facts, markdown: _text, ...others } = data;
  return Object.keys(others).length > 0 ? `${markdown}\n\n${JSON.stringify(others, null, 2)}` : markdown;
}

function AsCode({ operation, form, body }: { operation: string; form: FormShape; body: Body }) {
  const [language, setLanguage] = useState<CodeLanguage>("curl");
  const baseUrl = useSession().data?.baseUrl ?? window.location.origin;
  return (
    <Card
      title="The same as code"
      actions={
        <Segments label="Language" values={languages} chosen={language} onChoose={(next) => setLanguage(next)} />
      }
    >
      <div className="card-body">
        <Code text={codeFor(language, operation, form, body, baseUrl)} />
      </div>
    </Card>
  );
}

function History({ runs, onChoose }: { runs: readonly PastRun[]; onChoose(run: PastRun): void }) {
  if (runs.length === 0) return null;
  return (
    <Card title="History">
      <Table
        rows={runs}
        keyOf={({ at }) => at}
        isBare
        columns={[
          { name: "Operation", cell: ({ operation }) => playKinds[operation].name },
          { name: "Request", cell: ({ body }) => <span className="cut mono">{JSON.stringify(body)}</span> },
          { name: "At", kind: "faint", cell: ({ at }) => <Time at={at} /> },
          { action: "Open", onClick: onChoose },
        ]}
      />
    </Card>
  );
}
