// What a team decides about its own requests, and the log of who decided it.
import { actorOf, type Policy, type TargetPolicy } from "../../accounts/index.ts";
import { refusedField, ServiceError } from "../../base/index.ts";
import { canonicalHost } from "../../reach/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

export function createPolicyOperations({ accounts }: Pick<OperationParts, "accounts">) {
  const { audit, policies } = accounts;

  return {
    async readIpAllowlist(_input, { teamId }) {
      const { ipRanges } = await policies.find(teamId);
      return { success: true, ranges: [...ipRanges] };
    },

    async replaceIpAllowlist({ ranges }, caller) {
      const { ipRanges } = await policies.replace(caller.teamId, "ipRanges", ranges, actorOf(caller));
      return { success: true, ranges: [...ipRanges] };
    },

    async readThreatPolicy(_input, { teamId }) {
      return { success: true, data: shownTargets(await policies.find(teamId)) };
    },

    async replaceThreatPolicy(input, caller) {
      const { mode, whitelist, blacklist, blockedTlds, defaultAction, allowRequestOverrides } = input;
      if (mode === "normal" || mode === "zscaler")
        throw new ServiceError(
          "NOT_IMPLEMENTED",
          `This server does not score URLs by risk, so there is no mode ${mode}. Use manual-only with lists of hosts.`,
        );
      const lists = { whitelist, blacklist, blockedTlds };
      for (const [name, entries] of Object.entries(lists)) checkEntries(name, entries);
      const targets: TargetPolicy = { mode, ...lists, defaultAction, allowRequestOverrides };
      const policy = await policies.replace(caller.teamId, "targets", targets, actorOf(caller));
      return { success: true, data: shownTargets(policy) };
    },

    async listAudit(input, { teamId }) {
      const { rows, cursor, hasMore } = await audit.page(teamId, input);
      return { success: true, data: rows, cursor, has_more: hasMore };
    },

    async exportAudit(filter, caller) {
      const batches = audit.export(caller.teamId, filter, actorOf(caller));
      return { type: "application/x-ndjson", name: "trawl-audit.ndjson", chunks: lines(batches) };
    },
  } satisfies ServedOperations;
}

async function* lines(batches: AsyncIterable<readonly object[]>): AsyncGenerator<Buffer> {
  for await (const rows of batches) {
    if (rows.length > 0) yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

function checkEntries(list: string, entries: readonly string[]): void {
  for (const [place, entry] of entries.entries()) {
    const bare = list === "blockedTlds" ? entry.replace(/^\./, "") : entry.replace(/^\*\./, "");
    if (canonicalHost(bare) === null)
      throw refusedField([list, place], "Must be a host such as example.com or *.example.com");
  }
}

function shownTargets({ targets, targetsSetAt }: Policy) {
  const { whitelist, blacklist, blockedTlds, ...rest } = targets;
  const lists = { whitelist: [...whitelist], blacklist: [...blacklist], blockedTlds: [...blockedTlds] };
  return { ...rest, ...lists, configured: targetsSetAt !== null, updatedAt: targetsSetAt };
}
