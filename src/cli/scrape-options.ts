// The browser options of `trawl scrape`, and the screenshot as a file.
import { writeFile } from "node:fs/promises";
import type { Document } from "../contract/index.ts";
import { numberOption } from "./command.ts";

export type MediaReader = (name: string) => Promise<{ bytes: Uint8Array } | null>;

export function browserOptions({ wait, screenshot }: { wait?: string | undefined; screenshot?: string | undefined }) {
  return {
    ...numberOption("wait", wait, "waitFor"),
    ...(screenshot === undefined ? {} : { formats: ["markdown", { type: "screenshot", fullPage: true }] }),
  };
}

/** The response has the URL of the server; here the image is read from the database. */
export async function saveScreenshot(document: Document, file: string, readMedia: MediaReader): Promise<void> {
  const name = document.screenshot?.split("/").at(-1) ?? "";
  const picture = await readMedia(name);
  if (!picture) throw new Error("The page has no screenshot.");
  await writeFile(file, picture.bytes);
}
