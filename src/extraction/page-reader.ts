// Runs in the content pool's threads: reads from one page's tree what a schema or a prompt asks for.
import type { PageSource } from "../content/index.ts";
import { Chooser } from "./choose.ts";
import { rankEntities } from "./entity-choice.ts";
import { wordsAround } from "./fields.ts";
import type { PageFinding } from "./finding.ts";
import { singular } from "./names.ts";
import { Page } from "./page.ts";
import type { ReaderInput } from "./page-reader-file.ts";
import { readWanted } from "./wanted.ts";

export function readPage(source: PageSource, { schema }: ReaderInput): PageFinding {
  if (!schema) return { found: null };
  const wanted = readWanted(schema);
  const page = new Page(source, wordsAround(wanted).map(singular));
  if (wanted.kind !== "object") return { found: null };
  return { found: new Chooser(page).object(wanted, rankEntities(page, wanted), []) };
}
