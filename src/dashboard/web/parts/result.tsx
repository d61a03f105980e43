// What a request came to: a document in its formats, data with its evidence, steps as a timeline.
import { type ReactNode, useState } from "react";
import type { AnswerOf } from "../api/queries.ts";
import { Badge, Code, count } from "./common-parts.tsx";
import { Table } from "./data-table.tsx";
import { LongTable } from "./long-table.tsx";
import { Markdown, SafeLink } from "./rendered-markdown.tsx";
import { Empty } from "./states.tsx";
import { Tabs } from "./tabs.tsx";

export type ShownStep = AnswerOf<"readTrace">["trace"][number];

type Shown = Record<string, unknown>;

interface Evidence {
  text?: string;
  url: string;
  method: string;
  confidence: number;
}

export function JsonText({ value }: { value: unknown }) {
  return <Code isTall text={JSON.stringify(value, null, 2)} />;
}

export function DocumentTabs({ document, steps }: { document: Shown; steps?: readonly ShownStep[] | undefined }) {
  const tabs = tabsOf(document, steps);
  const [tab, setTab] = useState(tabs[0]?.name ?? "");
  return <Tabs label="Formats" tabs={tabs} chosen={tab} onChoose={setTab} />;
}

function tabsOf(document: Shown, steps: readonly ShownStep[] | undefined) {
  const { markdown, html, rawHtml, links, screenshot, json, summary, web } = document;
  const evidence = document.evidence as Record<string, Evidence> | undefined;
  const list: { name: string; panel: ReactNode }[] = [];
  if (typeof markdown === "string") list.push({ name: "Markdown", panel: <Beside markdown={markdown} /> });
  if (typeof summary === "string") list.push({ name: "Summary", panel: <Markdown text={summary} /> });
  if (json !== undefined)
    list.push({ name: "JSON", panel: <Data json={json} evidence={evidence} text={String(markdown ?? "")} /> });
  if (Array.isArray(web)) list.push({ name: "Results", panel: <Links links={web.map(toLink)} /> });
  if (Array.isArray(links)) list.push({ name: "Links", panel: <Links links={links.map(toLink)} /> });
  if (typeof screenshot === "string") list.push({ name: "Screenshot", panel: <Picture source={screenshot} /> });
  if (typeof html === "string") list.push({ name: "HTML", panel: <Html text={html} /> });
  if (typeof rawHtml === "string") list.push({ name: "Raw HTML", panel: <Code isTall text={rawHtml} /> });
  if (steps && steps.length > 0) list.push({ name: "Trace", panel: <Timeline steps={steps} /> });
  list.push({ name: "Response", panel: <JsonText value={document} /> });
  return list;
}

function Beside({ markdown }: { markdown: string }) {
  if (markdown.trim() === "") return <Empty title="The page has no text" />;
  return (
    <div className="grid beside">
      <Markdown text={markdown} />
      <Code isTall text={markdown} />
    </div>
  );
}

/** The page's own HTML, in a frame that may do nothing: no scripts, no forms, and the policy of this page on what it loads. */
function Html({ text }: { text: string }) {
  return (
    <div className="grid halves">
      <iframe className="preview" title="Preview of the page" sandbox="" srcDoc={text} />
      <Code isTall text={text} />
    </div>
  );
}

interface ShownLink {
  place: number;
  url: string;
  title: string;
}

/** Of a document they are text, of a map objects with a title. */
function toLink(link: unknown, place: number): ShownLink {
  if (typeof link === "string") return { place, url: link, title: URL.canParse(link) ? new URL(link).host : "" };
  const { url = "", title = "" } = (link ?? {}) as { url?: string; title?: string };
  return { place, url, title };
}

function Links({ links }: { links: readonly ShownLink[] }) {
  if (links.length === 0) return <Empty title="No links" />;
  return (
    <>
      <p className="faint">{count(links.length)} links</p>
      <LongTable
        label="Links"
        rows={links}
        keyOf={({ url, place }) => `${place} ${url}`}
        columns={[
          { name: "Link", width: "minmax(0, 2fr)", cell: ({ url }) => <SafeLink href={url}>{url}</SafeLink> },
          { name: "Title", width: "minmax(0, 1fr)", isFaint: true, cell: ({ title }) => title },
        ]}
      />
    </>
  );
}

/** Only pictures that this server keeps are shown. */
function Picture({ source }: { source: string }) {
  const { pathname, origin } = new URL(source, window.location.href);
  const isOwn = origin === window.location.origin || source.startsWith("data:image/");
  if (!isOwn) return <Code text={source} />;
  return (
    <img className="screenshot" src={source.startsWith("data:") ? source : pathname} alt="Screenshot of the page" />
  );
}

function Data({
  json,
  evidence,
  text,
}: {
  json: unknown;
  evidence: Record<string, Evidence> | undefined;
  text: string;
}) {
  const found = Object.entries(evidence ?? {});
  if (found.length === 0) return <JsonText value={json} />;
  return (
    <div className="grid halves">
      <div className="stack">
        <JsonText value={json} />
        <Table
          rows={found}
          keyOf={([path]) => path}
          columns={[
            { name: "Field", kind: "mono", cell: ([path]) => path },
            { name: "Text on the page", cell: ([, { text: words }]) => words ?? "" },
            { name: "Method", kind: "faint", cell: ([, { method }]) => method },
            { name: "Confidence", kind: "number", cell: ([, { confidence }]) => `${Math.round(confidence * 100)} %` },
          ]}
        />
      </div>
      {text === "" ? (
        <p className="notice">Ask for markdown as well to see where on the page each value was found.</p>
      ) : (
        <section className="code tall" aria-label="Evidence in the page's text">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
          <pre tabIndex={0}>
            {highlighted(
              text,
              found.flatMap(([, { text: words }]) => (words ? [words] : [])),
            )}
          </pre>
        </section>
      )}
    </div>
  );
}

/** The text with every piece of evidence marked at its first occurrence. */
function highlighted(text: string, pieces: readonly string[]): ReactNode {
  const places = pieces
    .map((piece) => findPiece(text, piece))
    .filter((place) => place !== null)
    .sort((one, other) => one.start - other.start);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of places) {
    if (start < at) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** As it is, or with the marks of markdown between its words. */
function findPiece(text: string, piece: string): { start: number; end: number } | null {
  const at = piece === "" ? -1 : text.indexOf(piece);
  if (at >= 0) return { start: at, end: at + piece.length };
  const words = piece.match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = words.length === 0 ? null : new RegExp(words.join("[^\\p{L}\\p{N}]{1,8}"), "u").exec(text);
  return found ? { start: found.index, end: found.index + found[0].length } : null;
}

export function Timeline({ steps }: { steps: readonly ShownStep[] }) {
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  let before = 0;
  return (
    <ol className="timeline">
      {steps.map((step, index) => {
        const start = before;
        before += step.ms;
        const share = (ms: number) => `${(100 * ms) / Math.max(total, 1)}%`;
        return (
          <li key={index}>
            <span>
              {step.step} {attemptOf(step) ? <span className="attempt">{attemptOf(step)}</span> : null}
            </span>
            <Badge state={step.outcome === "ok" || step.outcome === "content" ? "ok" : "plain"}>{step.outcome}</Badge>
            <span className="track" aria-hidden="true">
              <span className="fill" style={{ marginLeft: share(start), width: share(step.ms) }} />
            </span>
            <span className="number">{count(Math.round(step.ms))} ms</span>
            <span className="faint url">{moreOf(step)}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface AttemptDetail {
  proxy?: string;
  status?: number;
  verdict?: string;
  reason?: string;
}

/** The engine of the attempt, and the proxy that it used. */
function attemptOf({ engine, detail }: ShownStep): string {
  const { proxy } = (detail ?? {}) as AttemptDetail;
  const through = proxy && proxy !== "none" ? `${proxy} proxy` : "";
  return [engine, through].filter(Boolean).join(" · ");
}

/** What came back, why the step was taken, and where. */
function moreOf({ detail, url, outcome }: ShownStep): string {
  const { status, verdict, reason } = (detail ?? {}) as AttemptDetail;
  const parts = [status ? `HTTP ${status}` : "", verdict === outcome ? "" : verdict, reason, url];
  return parts.filter(Boolean).join(" · ");
}
