// What a request came to: a document in its formats, data with its evidence, steps as a timeline.
import { type ReactNode, useState } from "react";
import type { AnswerOf } from "../api/queries.ts";
import { Markdown, SafeLink } from "./markdown.tsx";
import { Badge, Code, count } from "./page.tsx";
import { Empty } from "./states.tsx";
import { Tabs } from "./tabs.tsx";
import { VirtualList } from "./virtual-list.tsx";

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
  const { markdown, html, rawHtml, links, screenshot, json, summary } = document;
  const evidence = document.evidence as Record<string, Evidence> | undefined;
  const list: { name: string; panel: ReactNode }[] = [];
  if (typeof markdown === "string") list.push({ name: "Markdown", panel: <Beside markdown={markdown} /> });
  if (typeof summary === "string") list.push({ name: "Summary", panel: <Markdown text={summary} /> });
  if (json !== undefined)
    list.push({ name: "JSON", panel: <Data json={json} evidence={evidence} text={String(markdown ?? "")} /> });
  if (Array.isArray(links)) list.push({ name: "Links", panel: <Links links={links.map(String)} /> });
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
    <div className="grid halves">
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

function Links({ links }: { links: readonly string[] }) {
  if (links.length === 0) return <Empty title="No links" />;
  return (
    <>
      <p className="faint">{count(links.length)} links</p>
      <VirtualList label="Links" rows={links} keyOf={(link) => link} columns="minmax(0, 1fr)" rowHeight={34}>
        {(link) => (
          <span className="cut">
            <SafeLink href={link}>{link}</SafeLink>
          </span>
        )}
      </VirtualList>
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
        <div className="table-wrap">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Found as</th>
                <th scope="col">By</th>
                <th scope="col" className="number">
                  Sure
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map(([path, { text: words, method, confidence }]) => (
                <tr key={path}>
                  <td className="mono">{path}</td>
                  <td>{words ?? ""}</td>
                  <td className="faint">{method}</td>
                  <td className="number">{Math.round(confidence * 100)} %</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <pre className="code tall">
        {highlighted(
          text,
          found.flatMap(([, { text: words }]) => (words ? [words] : [])),
        )}
      </pre>
    </div>
  );
}

/** The text with every piece of evidence marked, each where it first stands. */
function highlighted(text: string, pieces: readonly string[]): ReactNode {
  const places = pieces
    .map((piece) => ({ start: text.indexOf(piece), end: text.indexOf(piece) + piece.length }))
    .filter(({ start, end }) => start >= 0 && end > start)
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
              {step.step} {step.engine ? <span className="faint">{step.engine}</span> : null}
            </span>
            <Badge state={step.outcome === "ok" ? "ok" : "plain"}>{step.outcome}</Badge>
            <span className="track" aria-hidden="true">
              <span className="fill" style={{ marginLeft: share(start), width: share(step.ms) }} />
            </span>
            <span className="number">{count(Math.round(step.ms))} ms</span>
            {step.url ? <span className="faint url">{step.url}</span> : null}
          </li>
        );
      })}
    </ol>
  );
}
