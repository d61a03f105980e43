// Judges the errors that the apps of the tests answer: the contract names each for its operation, and each links its entry.
import { type ErrorCode, errorPage } from "../../../src/base/index.ts";
import { errorsOf, errorsOfAnyRequest } from "../../../src/contract/description/row-errors.ts";
import { type Endpoint, endpoints } from "../../../src/contract/index.ts";

const declared = new Map<string, ReadonlyMap<number, readonly ErrorCode[]>>();

/** Of one endpoint; null where the table has none such, as for pages and dialects. */
function errorsFor(title: string): ReadonlyMap<number, readonly ErrorCode[]> | null {
  const known = declared.get(title);
  if (known) return known;
  const row = (endpoints as readonly Endpoint[]).find(
    ({ method, path }) => `${method} ${path.replace(/\{\w+\+\}/, "*")}` === title,
  );
  if (!row) return null;
  const errors = errorsOf(row);
  declared.set(title, errors);
  return errors;
}

export function faultsOfError(title: string, status: number, code: ErrorCode, link: unknown): string[] {
  const faults: string[] = [];
  if (!String(link).includes(`${errorPage(code)}>; rel="help"`)) faults.push(`${title} does not link ${code}: ${link}`);
  const errors = errorsFor(title);
  if (errors && !errorsOfAnyRequest.includes(code) && !errors.get(status)?.includes(code))
    faults.push(`${title} answers ${status} ${code}, which src/contract/operations/operation-errors.ts does not name`);
  return faults;
}
