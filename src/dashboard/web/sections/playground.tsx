// Try everything without writing a line: a form, its result, the same request as code, and what was run before.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type CallError, call } from "../api/call.ts";
import { useRead, useSession } from "../api/queries.ts";
import { Card, Code, Copy, count, countOf, SectionHead, Time } from "../parts/common-parts.tsx";
import { Table } from "../parts/data-table.tsx";
import { InputField } from "../parts/form-parts.tsx";
import { DocumentTabs, JsonText, type ShownStep } from "../parts/result.tsx";
import { ChangeProblem, Empty, Loaded, Loading } from "../parts/states.tsx";
import { Segments } from "../parts/tabs.tsx";
import { type CodeLanguage, codeFor, languages } from "./playground-code.ts";
import { type Body, type FormShape, RequestForm } from "./playground-form.tsx";

const kinds = {
  Scrape: { operation: "scrape", common: ["url", "formats", "onlyMainContent", "maxAge"] },
  Crawl: { operation: "startCrawl", common: ["url", "limit", "maxDiscoveryDepth", "includePaths"] },
  Map: { operation: "map", common: ["url", "search", "limit"] },
  Search: { operation: "search", common: ["query", "limit", "sources"] },
  Extract: { operation: "startExtract", common: ["urls", "prompt", "schema"] },
  Parse: { operation: "parse", common: ["formats"] },
  Agent: { operation: "startAgent", common: ["prompt", "urls", "schema"] },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

interface Run {
  kind: Kind;
  body: Body;
  at: number;
}

interface Outcome {
  answer: Record<string, unknown>;
  ms: number;
}

const historyPlace = "trawl-playground";
const mostRuns = 20;

function readHistory(): Run[] {
  try {
    return JSON.parse(localStorage.getItem(historyPlace) ?? "[]") as Run[];
  } catch {
    return [];
  }
}

/** A link to the same form, with its values in the URL. */
function readLink(): { kind: Kind; body: Body } {
  const query = new URLSearchParams(window.location.search);
  const kind = kindNames.find((name) => name === query.get("kind")) ?? "Scrape";
  try {
    const body = JSON.parse(query.get("body") ?? "{}") as unknown;
    return { kind, body: typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Body) : {} };
  } catch {
    return { kind, body: {} };
  }
}

function linkOf(kind: Kind, body: Body): string {
  return `/dashboard/playground?${new URLSearchParams({ kind, body: JSON.stringify(body) })}`;
}

export function PlaygroundSection() {
  const [{ kind, body }, setRequest] = useState(readLink);
  const [version, setVersion] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const [history, setHistory] = useState(readHistory);
  const { operation, common } = kinds[kind];
  const form = useRead<"readForm">(`/dashboard/api/forms/${operation}`);
  const run = useMutation<Outcome, CallError, Run>({ mutationFn: (request) => perform(request, form.data, file) });

  function choose(next: { kind: Kind; body: Body }) {
    setRequest(next);
    setVersion(version + 1);
    run.reset();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const request = { kind, body, at: Date.now() };
    const runs = [request, ...history].slice(0, mostRuns);
    setHistory(runs);
    localStorage.setItem(historyPlace, JSON.stringify(runs));
    window.history.replaceState(window.history.state, "", linkOf(kind, body));
    run.mutate(request);
  }

  return (
    <>
      <SectionHead title="Playground" about="Any API request, as a form. It counts and costs like any other request.">
        <Copy label="Copy link" text={`${window.location.origin}${linkOf(kind, body)}`} />
      </SectionHead>
      <div className="stack">
        <div>
          <Segments
            label="Operation"
            values={kindNames}
            chosen={kind}
            onChoose={(next) => choose({ kind: next, body: {} })}
          />
        </div>
        <div className="play">
          <Card>
            <form className="card-body stack" onSubmit={submit}>
              {kind === "Parse" ? (
                <InputField
                  label="File"
                  type="file"
                  required
                  onChange={(event) => setFile(event.target.files?.[0] ?? null)}
                />
              ) : null}
              <Loaded of={form}>
                {(data) => (
                  <RequestForm
                    key={`${kind} ${version}`}
                    form={data}
                    common={common}
                    body={body}
                    onChange={(next) => setRequest({ kind, body: next })}
                  />
                )}
              </Loaded>
              <button type="submit" className="button primary" disabled={run.isPending || !form.data}>
                {run.isPending ? "Running …" : "Run"}
              </button>
            </form>
          </Card>
          <div className="stack">
            <Card title="Result" actions={run.data ? <Facts outcome={run.data} /> : null}>
              {run.isPending ? <Loading /> : null}
              {run.error ? (
                <div className="card-body">
                  <ChangeProblem error={run.error} />
                </div>
              ) : null}
              {run.data ? <Result kind={kind} answer={run.data.answer} /> : null}
              {run.isIdle ? <Empty title="Nothing run yet">Fill in the form and press Run.</Empty> : null}
            </Card>
            {form.data ? <AsCode operation={operation} form={form.data} body={body} /> : null}
            <History runs={history} onChoose={choose} />
          </div>
        </div>
      </div>
    </>
  );
}

async function perform({ kind, body }: Run, form: FormShape | undefined, file: File | null): Promise<Outcome> {
  const startedAt = performance.now();
  const path = form?.path ?? "";
  const isTraced = kind === "Scrape";
  const sent =
    kind === "Parse" ? toForm(body, file) : { ...body, ...(isTraced ? { trace: true } : {}), origin: "dashboard" };
  let answer = await call<Record<string, unknown>>("POST", path, sent);
  if ((kind === "Extract" || kind === "Agent") && typeof answer.id === "string") answer = await follow(path, answer.id);
  return { answer, ms: performance.now() - startedAt };
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

function Result({ kind, answer }: { kind: Kind; answer: Record<string, unknown> }) {
  if ((kind === "Scrape" || kind === "Parse") && typeof answer.data === "object" && answer.data !== null) {
    const document = answer.data as Record<string, unknown>;
    return <DocumentTabs document={document} steps={(answer.trace ?? document.trace) as ShownStep[] | undefined} />;
  }
  if (kind === "Map") return <DocumentTabs document={answer} />;
  if (kind === "Search" && typeof answer.data === "object" && answer.data !== null)
    return <DocumentTabs document={{ ...answer, ...answer.data }} />;
  if ((kind === "Extract" || kind === "Agent") && answer.data !== undefined)
    return <DocumentTabs document={{ ...answer, json: answer.data }} />;
  return (
    <div className="card-body stack">
      {kind === "Crawl" && typeof answer.id === "string" ? (
        <p className="notice good">
          The crawl has started.{" "}
          <Link to="/crawls/$id" params={{ id: answer.id }}>
            Watch it
          </Link>
        </p>
      ) : null}
      <JsonText value={answer} />
    </div>
  );
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

function History({ runs, onChoose }: { runs: readonly Run[]; onChoose(run: Run): void }) {
  if (runs.length === 0) return null;
  return (
    <Card title="History">
      <Table
        rows={runs}
        keyOf={({ at }) => at}
        isBare
        columns={[
          { name: "Operation", cell: ({ kind }) => kind },
          { name: "Request", cell: ({ body }) => <span className="cut mono">{JSON.stringify(body)}</span> },
          { name: "At", kind: "faint", cell: ({ at }) => <Time at={at} /> },
          { action: "Open", onClick: onChoose },
        ]}
      />
    </Card>
  );
}
