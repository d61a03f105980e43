// The extractors that deterministicJson has learned for a team.
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

const mostShown = 1000;

export function createExtractorOperations({ store }: OperationParts) {
  return {
    async listExtractors(_input, { teamId }) {
      const rows = await store.siteRules.list(teamId, mostShown);
      const extractors = rows.map(({ id, host, rules, version, createdAt, updatedAt }) => {
        const { values, lists } = JSON.parse(rules) as Record<"values" | "lists", { path: string[] }[]>;
        const fields = [...values, ...lists].map(({ path }) => path.join("."));
        return { id, host, fields, version, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
      });
      return { success: true, extractors };
    },

    async deleteExtractor({ extractorId }, { teamId }) {
      if (!(await store.siteRules.remove(teamId, extractorId))) throw new ServiceError("EXTRACTOR_NOT_FOUND");
      return { success: true };
    },
  } satisfies ServedOperations;
}
