import { randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ServiceError } from "../../base/index.ts";
import { prepareDataFolder } from "./data-folder.ts";

/** The secret in DATA_DIR, made at the first start. Processes that start at the same time all get the same one. */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret");
  const present = await readSecret(file);
  if (present !== null) return present;
  prepareDataFolder(dataDir);
  const draft = join(dataDir, `secret.${randomBytes(8).toString("hex")}`);
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${randomBytes(32).toString("hex")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link never replaces a file and its content is complete: the first process wins, the others read its secret.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readSecret(file);
  if (made === null) throw new ServiceError("INTERNAL_ERROR", `The file ${file} vanished while it was being made.`);
  return made;
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const secret = (await readFile(file, "utf8")).trim();
    if (secret === "") throw new ServiceError("INTERNAL_ERROR", `The file ${file} is empty. Restore it from a backup.`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
