// A team's secrets as its callers see them: everything but the values.
import { isoTime } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { StoredSecret } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

type ShownSecret = OperationOutput<"putSecret">["secret"];

export function createSecretOperations({ secrets }: Pick<OperationParts, "secrets">) {
  return {
    async putSecret({ name, type, value, hosts }, { teamId }) {
      return { success: true, secret: showSecret(await secrets.put(teamId, { name, type, value, hosts })) };
    },

    async listSecrets(_input, { teamId }) {
      return { success: true, secrets: (await secrets.list(teamId)).map(showSecret) };
    },

    async deleteSecret({ name }, { teamId }) {
      await secrets.delete(teamId, name);
      return { success: true };
    },
  } satisfies ServedOperations;
}

function showSecret({ name, kind, hosts, createdAt, updatedAt, lastUsedAt }: StoredSecret): ShownSecret {
  return {
    name,
    type: kind,
    hosts: JSON.parse(hosts),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}
