import { namesPersons } from "../../contract/index.ts";
import { addWarnings } from "../document/page-document.ts";
import { mayRedact, redactionOf, redactionWarnings, redactValue } from "../document/redact-document.ts";
import type { ReadFindings } from "../record/page-reading.ts";
import type { Answered } from "./answer-requests.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { PersonsFound } from "./find-persons.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { DocumentWritten } from "./write-document.ts";

type Needs = Pick<EnteredPage, "request"> & DocumentWritten & PersonsFound & Answered;
type Redacted = Answered & Pick<DocumentWritten, "findings">;

const noModel = "redactPII leaves names of persons as they are: finding them needs a language model.";
const unchanged = {};

/** Takes personal data out of everything that was read, where that is asked for. */
export function redactPage(page: Needs): StageResult<object> | Promise<StageResult<Redacted>> {
  return page.request.options.redactPII === false ? unchanged : redact(page);
}

async function redact({ request, persons, answered, findings }: Needs): Promise<StageResult<Redacted>> {
  const { options, plan } = request;
  const redaction = await redactionOf(options, answered.document, persons.names);
  if (!redaction) return { answered, findings };
  if (!mayRedact(answered.document))
    return { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The page is too large to be redacted." };
  const take = <Value>(value: Value): Value => redactValue(value, redaction);
  const document = take(answered.document);
  const unnamed = namesPersons(options) && !plan.isNamed ? [noModel] : [];
  addWarnings(document, [...persons.warnings, ...unnamed, ...redactionWarnings(document)]);
  const { foundText, tracked } = answered;
  return {
    answered: { ...answered, document, foundText: take(foundText), tracked: take(tracked) },
    findings: {
      ...findings,
      finding: take(findings.finding),
      outlinks: withoutNames(findings.outlinks, take),
      places: null,
      searchText: null,
    },
  };
}

/** Where links lead stays known, or no crawl could follow them. */
function withoutNames(outlinks: ReadFindings["outlinks"], take: (text: string) => string): ReadFindings["outlinks"] {
  return outlinks && { ...outlinks, links: outlinks.links.map(({ url, text }) => ({ url, text: take(text) })) };
}
