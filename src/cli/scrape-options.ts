// What `trawl scrape` asks of a browser, and the picture of the page as a file.
import { writeFile } from "node:fs/promises";
import type { Document } from "../contract/index.ts";
import { numberOption } from "./command.ts";

type MediaReader = (name: string) => Promise<{ bytes: Uint8Array } | null>;

export function browserOptions({ wait, screenshot }: { wait?: string | undefined; screenshot?: string | undefined }) {
  return {
    ...numberOption("wait", wait, "waitFor"),
    ...(screenshot === undefined ? {} : { formats: ["markdown", { type: "screenshot", fullPage: true }] }),
  };
}

/** The answer names where the server keeps it; here it is read from the store itself. */
export async function saveScreenshot(document: Document, file: string, readMedia: MediaReader): Promise<void> {
  const name = document.screenshot?.split("/").at(-1) ?? "";
  const picture = await readMedia(name);
  if (!picture) throw new Error("The page has no screenshot.");
  await writeFile(file, picture.bytes);
}
