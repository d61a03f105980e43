// One crawl, live: its pages as they come, how far it is, what went wrong, and the buttons that steer it.
import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Shares } from "../parts/chart.tsx";
import { Badge, Card, count, countOf, SectionHead, Time } from "../parts/common-parts.tsx";
import { ActionButton } from "../parts/form-parts.tsx";
import { LongTable } from "../parts/long-table.tsx";
import { SafeLink } from "../parts/rendered-markdown.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";

type Message = AnswerOf<"watchCrawl">;
type Status = AnswerOf<"readCrawl">;

interface CrawledPage {
  url: string;
  title: string;
  status: number | null;
  at: number;
}

export function CrawlSection() {
  const { id } = useParams({ strict: false }) as { id: string };
  const path = `/v2/crawl/${id}`;
  const status = useRead<"readCrawl">(`${path}?limit=1`, { everyMs: 2_000 });
  const errors = useRead<"listCrawlErrors">(`${path}/errors`, { everyMs: 5_000 });
  const crawls = useRead<"listCrawls">("/v2/crawl?limit=100");
  const url = crawls.data?.crawls.find((crawl) => crawl.id === id)?.url;
  const pages = usePages(id);
  const [tab, setTab] = useState("Pages");
  const pause = useChange<void, "pauseCrawl">(() => call("POST", `${path}/pause`, {}), ["/v2/crawl"]);
  const resume = useChange<void, "resumeCrawl">(() => call("POST", `${path}/resume`, {}), ["/v2/crawl"]);
  const cancel = useChange<void, "cancelCrawl">(() => call("DELETE", path), ["/v2/crawl"]);

  return (
    <Loaded of={status}>
      {(data) => {
        const isRunning = data.status === "scraping";
        return (
          <>
            <SectionHead title={`Crawls: ${url ?? "details"}`} about={<span className="mono">{id}</span>}>
              {isRunning && !data.paused ? (
                <ActionButton disabled={pause.isPending} onClick={() => pause.mutate()}>
                  Pause
                </ActionButton>
              ) : null}
              {isRunning && data.paused ? (
                <ActionButton disabled={resume.isPending} onClick={() => resume.mutate()}>
                  Resume
                </ActionButton>
              ) : null}
              {isRunning ? (
                <ActionButton kind="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
                  Cancel
                </ActionButton>
              ) : null}
            </SectionHead>
            <div className="stack">
              <ChangeProblem error={pause.error ?? resume.error ?? cancel.error} />
              <Progress data={data} pages={pages} />
              <Card actions={<Export path={path} />} title="Results">
                <Tabs
                  label="Parts of the crawl"
                  chosen={tab}
                  onChoose={setTab}
                  tabs={[
                    { name: "Pages", panel: <PageList pages={pages} /> },
                    { name: "Site tree", panel: <SiteTree pages={pages} /> },
                    { name: "Depth and status", panel: <Shape pages={pages} /> },
                    {
                      name: "Errors",
                      panel: <Loaded of={errors}>{(list) => <Errors list={list} />}</Loaded>,
                    },
                  ]}
                />
              </Card>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** Every page that has ended, from the socket that follows the crawl. */
function usePages(id: string): readonly CrawledPage[] {
  const [pages, setPages] = useState<readonly CrawledPage[]>([]);
  const client = useQueryClient();
  const waiting = useRef<CrawledPage[]>([]);
  useEffect(() => {
    setPages([]);
    const socket = new WebSocket(`${window.location.origin.replace(/^http/, "ws")}/v2/crawl/${id}`);
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.type === "catchup") waiting.current.push(...message.data.data.map(pageOf));
      if (message.type === "document") waiting.current.push(pageOf(message.data));
      if (message.type === "done") void client.invalidateQueries({ queryKey: [`/v2/crawl/${id}?limit=1`] });
    };
    // Many pages may come at once: they are shown a few times a second.
    const timer = setInterval(() => {
      const news = waiting.current;
      if (news.length === 0) return;
      waiting.current = [];
      setPages((known) => [...known, ...news]);
    }, 250);
    return () => {
      clearInterval(timer);
      socket.close();
    };
  }, [id, client]);
  return pages;
}

function pageOf({ metadata }: Status["data"][number]): CrawledPage {
  return {
    url: metadata.sourceURL ?? metadata.url ?? "",
    title: metadata.title ?? "",
    status: metadata.statusCode ?? null,
    at: Date.now(),
  };
}

function Progress({ data, pages }: { data: Status; pages: readonly CrawledPage[] }) {
  const since = Date.now() - 10_000;
  const speed = pages.filter(({ at }) => at >= since).length / 10;
  const state = data.paused ? "paused" : data.status;
  return (
    <Card>
      <div className="card-body stack">
        <div className="row">
          <Badge state={state} />
          <span>
            {count(data.completed)} of {countOf(data.total, "page")}
          </span>
          <span className="faint">
            {countOf(data.creditsUsed, "credit")}
            {state === "scraping" ? ` · ${speed.toLocaleString()} pages a second` : ""}
          </span>
          <span className="faint">
            <Time at={data.createdAt} none="" />
          </span>
        </div>
        <progress aria-label="Progress of the crawl" max={Math.max(data.total, 1)} value={data.completed} />
        {data.error ? <p className="notice bad">{data.error}</p> : null}
        {data.warning ? <p className="notice">{data.warning}</p> : null}
      </div>
    </Card>
  );
}

function Export({ path }: { path: string }) {
  const formats = { JSONL: "jsonl", CSV: "csv", "Markdown zip": "md.zip" };
  return (
    <div className="row">
      {Object.entries(formats).map(([name, format]) => (
        <a key={format} className="button small" href={`${path}/export?format=${format}`} download>
          {name}
        </a>
      ))}
    </div>
  );
}

function PageList({ pages }: { pages: readonly CrawledPage[] }) {
  if (pages.length === 0) return <Empty title="No pages yet">Pages appear here as they are read.</Empty>;
  return (
    <LongTable
      label="Pages"
      rows={pages}
      keyOf={({ url, at }) => `${url} ${at}`}
      columns={[
        { name: "Page", width: "minmax(0, 2fr)", cell: ({ url }) => <SafeLink href={url}>{url}</SafeLink> },
        { name: "Title", width: "minmax(0, 1fr)", isFaint: true, cell: ({ title }) => title },
        { name: "Status", width: "52px", isFaint: true, cell: ({ status }) => status ?? "" },
      ]}
    />
  );
}

interface Branch {
  name: string;
  count: number;
  branches: Map<string, Branch>;
}

function SiteTree({ pages }: { pages: readonly CrawledPage[] }) {
  const root: Branch = { name: "", count: 0, branches: new Map() };
  for (const { url } of pages) {
    if (!URL.canParse(url)) continue;
    const { host, pathname } = new URL(url);
    let branch = root;
    for (const part of [host, ...pathname.split("/").filter(Boolean)]) {
      const next = branch.branches.get(part) ?? { name: part, count: 0, branches: new Map() };
      next.count += 1;
      branch.branches.set(part, next);
      branch = next;
    }
  }
  return pages.length === 0 ? <Empty title="No pages yet" /> : <Tree branch={root} />;
}

/** Branches beyond this number are only counted. */
const mostBranches = 200;

function Tree({ branch }: { branch: Branch }) {
  const list = [...branch.branches.values()];
  return (
    <ul className="tree">
      {list.slice(0, mostBranches).map((each) => (
        <li key={each.name}>
          {each.branches.size === 0 ? (
            each.name
          ) : (
            <details open={branch.name === ""}>
              <summary>
                {each.name} <span className="faint">{count(each.count)}</span>
              </summary>
              <Tree branch={each} />
            </details>
          )}
        </li>
      ))}
      {list.length > mostBranches ? <li className="faint">and {count(list.length - mostBranches)} more</li> : null}
    </ul>
  );
}

function Shape({ pages }: { pages: readonly CrawledPage[] }) {
  if (pages.length === 0) return <Empty title="No pages yet" />;
  const depthOf = ({ url }: CrawledPage) =>
    URL.canParse(url) ? `depth ${new URL(url).pathname.split("/").filter(Boolean).length}` : "unknown";
  return (
    <div className="grid halves">
      <div>
        <h3>By depth of the path</h3>
        <Shares list={countNames(pages.map(depthOf))} />
      </div>
      <div>
        <h3>By status</h3>
        <Shares list={countNames(pages.map(({ status }) => `HTTP ${status ?? "unknown"}`))} />
      </div>
    </div>
  );
}

function countNames(names: readonly string[]): { name: string; value: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, value]) => ({ name, value })).sort((one, other) => other.value - one.value);
}

function Errors({ list: { errors, robotsBlocked } }: { list: AnswerOf<"listCrawlErrors"> }) {
  if (errors.length + robotsBlocked.length === 0) return <Empty title="No errors" />;
  const rows = [
    ...errors.map(({ url, code, error }) => ({ url, reason: code ?? "failed", text: error })),
    ...robotsBlocked.map((url) => ({ url, reason: "ROBOTS_BLOCKED", text: "robots.txt disallows this page." })),
  ];
  return (
    <div className="stack">
      <Shares isBad list={countNames(rows.map(({ reason }) => reason))} />
      <LongTable
        label="Errors"
        rows={rows}
        keyOf={({ url }) => url}
        columns={[
          { name: "Page", width: "minmax(0, 1fr)", cell: ({ url }) => url },
          { name: "Error", width: "minmax(0, 1fr)", isFaint: true, cell: ({ text }) => text },
        ]}
      />
    </div>
  );
}
