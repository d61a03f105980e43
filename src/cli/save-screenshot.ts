// The picture of a scraped page, as a file.
import { writeFile } from "node:fs/promises";
import type { Document } from "../contract/index.ts";

type MediaReader = (name: string) => Promise<{ bytes: Uint8Array } | null>;

/** The answer names where the server keeps it; here it is read from the store itself. */
export async function saveScreenshot(document: Document, file: string, readMedia: MediaReader): Promise<void> {
  const name = document.screenshot?.split("/").at(-1) ?? "";
  const picture = await readMedia(name);
  if (!picture) throw new Error("The page has no screenshot.");
  await writeFile(file, picture.bytes);
}
