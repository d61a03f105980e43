// `trawl secret`: what flows may type. A value comes from standard input, so that no list of commands or processes shows it.

import type { Invocation } from "../service/invocation.ts";
import { readInputFile, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printRows, toText } from "../terminal/printing.ts";

export async function setSecret({ words: [name], flags, request }: Invocation): Promise<void> {
  if (name === undefined) throw new UsageError("trawl secret set needs a name. The value is read from standard input.");
  const hosts = [flags.host ?? []].flat();
  if (hosts.length === 0) throw new UsageError("trawl secret set needs --host: where the secret may be typed.");
  // The line end is that of the terminal or of echo.
  const value = (await readInputFile("-")).replace(/\r?\n$/, "");
  if (value === "") throw new UsageError("The value on standard input is empty.");
  await withService(flags, async ({ client, signal }) => {
    const type = flags.totp ? "totp" : "text";
    const { secret } = await client.putSecret({ ...request, name, type, value, hosts, origin: "cli" }, { signal });
    if (flags.json) print(toText(secret, flags.pretty));
    else print(`Stored ${secret.name} for ${secret.hosts.join(", ")}.`);
  });
}

export function listSecrets({ flags }: Invocation): Promise<void> {
  return withService(flags, async ({ client, signal }) => {
    const { secrets } = await client.listSecrets({ signal });
    const rows = secrets.map(({ name, type, hosts, updatedAt, lastUsedAt }) => ({
      name,
      type,
      hosts: hosts.join(", "),
      updated: updatedAt,
      lastUsed: lastUsedAt,
    }));
    printRows(rows, flags.json);
  });
}

export async function deleteSecret({ words: [name], flags }: Invocation): Promise<void> {
  if (name === undefined) throw new UsageError("trawl secret delete needs a name. See trawl secret list.");
  await withService(flags, async ({ client, signal }) => {
    await client.deleteSecret(name, { signal });
    if (flags.json) print(toText({ name }, flags.pretty));
    else print(`Deleted ${name}.`);
  });
}
