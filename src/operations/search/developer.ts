// Search for developers: what was found, its price, and its line in the activity list.
import { activityRow, type Caller, prices } from "../../accounts/index.ts";
import { newId } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import { plainPlan } from "../../pages/index.ts";
import type { DeveloperQuestion } from "../../search/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";

type DeveloperInput = OperationInput<"searchDeveloper">;

const allKinds = ["doc", "issue", "pull_request", "readme"] as const;
const offWarning = "Open sources are off (OPEN_SEARCH): only the local index was asked.";

export function createDeveloperSearch(parts: OperationParts) {
  const { store, clock, credits, activity, content, openSources, askIndex } = parts;

  async function find(input: DeveloperInput, { teamId }: Caller, signal: AbortSignal) {
    // Loaded with the first search, as everything about it.
    const { searchDeveloperTexts } = await import("../../search/index.ts");
    const federation = await openSources();
    const toMarkdown = async (html: string, url: string) => {
      const bytes = Buffer.from(html);
      const read = await content.read({ ...wholeMarkdown, bytes, url }, teamId, signal);
      return ("markdown" in read && read.markdown) || "";
    };
    const ownIndex = (query: string, limit: number) => askIndex(teamId, query, limit);
    const deps = { federation, askIndex: ownIndex, toMarkdown };
    const { problems, ...found } = await searchDeveloperTexts(deps, questionOf(input), signal);
    return { ...found, warnings: federation === null && !input.skills ? [offWarning, ...problems] : problems };
  }

  /** Charge and activity are written together or not at all. */
  async function save(caller: Caller, note: Note, count: number): Promise<void> {
    const now = clock.now();
    const { teamId, keyId } = caller;
    const price = Math.ceil(count / 10) * prices.searchTen;
    const bill = { id: newId(now), teamId, keyId, jobId: note.id, at: now, reason: "search", endpoint: note.endpoint };
    await store.transaction(async (statements) => {
      await statements.charges.charge(price > 0 ? [{ ...bill, credits: price }] : []);
      await statements.activity.insert([activityRow(caller, note, { credits: price, endedAt: now })]);
    });
  }

  return {
    async searchDeveloper(
      input: DeveloperInput,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<OperationOutput<"searchDeveloper">> {
      await credits.require(caller.teamId, prices.searchTen);
      const createdAt = clock.now();
      const note: Note = { id: newId(createdAt), endpoint: "search", target: input.query, createdAt };
      try {
        const { results, repos, sources, warnings } = await find(input, caller, signal);
        await save(caller, note, results.length);
        return {
          success: true,
          results,
          ...(input.repos.length > 0 ? { repos } : {}),
          ...(input.sources.length > 0 ? { sources } : {}),
          ...warningOf(warnings),
        };
      } catch (error) {
        await activity.note(caller, note, { error, endedAt: clock.now() });
        throw error;
      }
    },
  };
}

interface Note {
  id: string;
  endpoint: "search";
  target: string;
  createdAt: number;
}

/** A fragment of HTML as it is. */
const wholeMarkdown = {
  formats: { ...plainPlan({}).formats, markdown: true },
  contentType: "text/html; charset=utf-8",
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
};

function questionOf({
  query,
  k,
  passages,
  types,
  repos,
  sources,
  skills,
  ...input
}: DeveloperInput): DeveloperQuestion {
  const { language, topic, license, min_stars: minStars, max_stars: maxStars, archived, fork } = input;
  return {
    query,
    count: k,
    passages,
    kinds: types ?? allKinds,
    repos,
    sources,
    filter: { language, topic: topic.length > 0 ? topic : undefined, license, minStars, maxStars, archived, fork },
    onlySkills: skills === "only",
  };
}
