// A source of the local index as its team sees it.
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { IndexedSource, Store } from "../../store/index.ts";
import type { Refresh, SourceReading } from "./source-reading.ts";

type ShownSource = OperationOutput<"readIndexedSource">["data"];

export async function showSources(
  { indexedSources }: Pick<Store, "indexedSources">,
  sources: readonly IndexedSource[],
): Promise<ShownSource[]> {
  const counts = await indexedSources.countPages(sources.map(({ id }) => id));
  return sources.map((source) => shownSource(source, counts.get(source.id) ?? 0));
}

export async function answerWith(
  store: Pick<Store, "indexedSources">,
  source: IndexedSource,
): Promise<{ success: true; data: ShownSource }> {
  const [data] = await showSources(store, [source]);
  if (!data) throw new ServiceError("SOURCE_NOT_FOUND");
  return { success: true, data };
}

function shownSource(source: IndexedSource, pageCount: number): ShownSource {
  const { id, type, name, status, refresh, lastIndexedAt, error, createdAt, updatedAt } = source;
  const reading: Partial<SourceReading> = JSON.parse(source.settings);
  return {
    id,
    type,
    name,
    ...("crawl" in reading && reading.crawl ? { url: reading.crawl.url } : {}),
    status,
    enabled: source.isEnabled === 1,
    pageCount,
    refresh: refresh as Refresh | null,
    lastIndexedAt: lastIndexedAt === null ? null : isoTime(lastIndexedAt),
    error,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
