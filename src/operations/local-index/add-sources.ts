// Adds sources to a team's local index. A site and pages are read by a worker (`source-upkeep`), documents at once.
import { type Caller, minimumCredits } from "../../accounts/index.ts";
import { bareUrl, basicAuthorization, newId, refusedField, ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import type { IndexedSource } from "../../store/index.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import type { FileAdder } from "./add-files.ts";
import { answerWith } from "./shown-source.ts";
import { packReading, type Refresh, type SourceReading } from "./source-reading.ts";

export function createSourceAdders(parts: OperationParts, addFiles: FileAdder) {
  const { store, clock, credits, checkUrl, indexer } = parts;

  async function add(
    {
      name,
      refresh = null,
      ...own
    }: { name: string; refresh?: Refresh | null | undefined } & Pick<IndexedSource, "type" | "settings">,
    { teamId, keyId, baseUrl }: Caller,
  ): Promise<IndexedSource> {
    const now = clock.now();
    const state = { status: "queued", isEnabled: 1, jobId: null, error: null, lastIndexedAt: null } as const;
    const times = { dueAt: own.type === "documents" ? null : now, createdAt: now, updatedAt: now };
    const source = { id: newId(now), teamId, keyId, baseUrl, name, refresh, ...own, ...state, ...times };
    await store.indexedSources.insert(source);
    return source;
  }

  /** Throws for a URL that may not be read, and where there is no index. */
  async function checkPages(urls: readonly string[], field: string, { teamId }: Caller): Promise<void> {
    requireIndex();
    for (const [place, url] of urls.entries()) {
      const path = field === "urls" ? [field, place] : [field];
      // They would be kept as long as the source.
      if (basicAuthorization(requireAllowedUrl(checkUrl, url, path)) !== null)
        throw refusedField(path, "Must not contain a user name or password");
    }
    await credits.require(teamId, minimumCredits.page);
  }

  function requireIndex(): void {
    if (indexer === null) throw new ServiceError("BAD_REQUEST", "The local index is off: OWN_INDEX is 0.");
  }

  return {
    async addIndexedSite({ crawl, name, refresh }: OperationInput<"addIndexedSite">, caller: Caller) {
      await checkPages([crawl.url], "url", caller);
      const reading: SourceReading = { type: "site", crawl };
      return answerWith(
        store,
        await add({ name: name ?? new URL(crawl.url).host, refresh, ...packReading(reading) }, caller),
      );
    },

    async addIndexedPages({ batch, name, refresh }: OperationInput<"addIndexedPages">, caller: Caller) {
      await checkPages(batch.urls, "urls", caller);
      const [first = ""] = batch.urls;
      const more = batch.urls.length > 1 ? ` and ${batch.urls.length - 1} more` : "";
      const reading: SourceReading = { type: "pages", batch };
      return answerWith(
        store,
        await add({ name: name ?? bareUrl(first) + more, refresh, ...packReading(reading) }, caller),
      );
    },

    async addIndexedDocuments({ documents: files, name }, caller, signal) {
      requireIndex();
      const [first] = files;
      const own = { type: "documents" as const, settings: "{}" };
      const source = await add({ name: name ?? first?.name ?? "", ...own }, caller);
      const { added, refused } = await addFiles(files, caller.teamId, signal, source.id);
      const why = refused.map((each) => `${each.name}: ${each.error}`);
      const now = clock.now();
      const end: Partial<IndexedSource> =
        added > 0 ? { status: "ready", lastIndexedAt: now } : { status: "failed", error: why.join(" ") };
      await store.indexedSources.change(source.id, { ...end, updatedAt: now });
      return {
        ...(await answerWith(store, { ...source, ...end, updatedAt: now })),
        ...warningOf(added > 0 ? why : []),
      };
    },
  } satisfies ServedOperations;
}
