// The extractors that deterministicJson has learned for a team.
import type { Caller } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";

const mostShown = 1000;

export function createExtractorOperations({ store }: { store: Pick<Store, "siteRules"> }) {
  return {
    async listExtractors(_input: object, { teamId }: Caller): Promise<OperationOutput<"listExtractors">> {
      const rows = await store.siteRules.list(teamId, mostShown);
      const extractors = rows.map(({ id, host, rules, version, createdAt, updatedAt }) => {
        const { values, lists } = JSON.parse(rules) as Record<"values" | "lists", { path: string[] }[]>;
        const fields = [...values, ...lists].map(({ path }) => path.join("."));
        return { id, host, fields, version, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
      });
      return { success: true, extractors };
    },

    async deleteExtractor(
      { extractorId }: OperationInput<"deleteExtractor">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"deleteExtractor">> {
      if (!(await store.siteRules.remove(teamId, extractorId))) throw new ServiceError("EXTRACTOR_NOT_FOUND");
      return { success: true };
    },
  };
}
