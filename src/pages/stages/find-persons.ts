import type { PageAnswers } from "../answers/page-answers.ts";
import { askerOf } from "./asker.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Parsed } from "./parse-content.ts";
import type { DocumentWritten } from "./write-document.ts";

export interface PersonsFound {
  /** Names that are redacted. */
  persons: { names: string[]; warnings: string[] };
}

const noPersons: PersonsFound = { persons: { names: [], warnings: [] } };

/** Has the language model find names of persons, where they are redacted. */
export function createPersonStage(answers: Pick<PageAnswers, "names">) {
  return (page: EnteredPage & Parsed & DocumentWritten): PersonsFound | Promise<PersonsFound> =>
    page.content && page.request.plan.isNamed ? find(page) : noPersons;

  async function find(page: EnteredPage & DocumentWritten): Promise<PersonsFound> {
    const { metadata, markdown = "" } = page.document;
    const found = await answers.names({ url: metadata.url ?? "", text: markdown }, askerOf(page), page.trace);
    page.signal.throwIfAborted();
    if (!found) return noPersons;
    return {
      persons: "warning" in found ? { names: [], warnings: [found.warning] } : { names: found.names, warnings: [] },
    };
  }
}
