// The formats that a request needs: those that it names, and what its actions bring.
import { ServiceError } from "../../base/index.ts";
import { formatNames } from "./formats.ts";

/** What a key may be limited to: every format, and the PDF that an action makes. */
export const limitedFormats = [...formatNames, "pdf"] as const;

const formatOfAction: Readonly<Record<string, string>> = {
  screenshot: "screenshot",
  pdf: "pdf",
  scrape: "html",
  executeJavascript: "rawHtml",
};

interface Asked {
  formats?: readonly { type: string }[];
  actions?: readonly { type: string }[];
  scrapeOptions?: Asked;
  targets?: readonly Asked[];
}

/** Extract fills a schema, whatever formats its pages have. */
function formatsOf(asked: Asked, isExtract: boolean): string[] {
  const { formats = [], actions = [], scrapeOptions, targets = [] } = asked;
  return [
    ...(isExtract ? ["json"] : formats.map(({ type }) => type)),
    ...actions.flatMap(({ type }) => formatOfAction[type] ?? []),
    ...[scrapeOptions ?? [], targets].flat().flatMap((inner) => formatsOf(inner, isExtract)),
  ];
}

/** Throws unless all that a request needs is among the formats that its caller may ask for. */
export function requireFormats(operation: string, input: unknown, allowed: readonly string[]): void {
  const asked = typeof input === "object" && input !== null ? (input as Asked) : {};
  const formats = [...new Set(formatsOf(asked, operation === "startExtract"))].filter(
    (name) => !allowed.includes(name),
  );
  if (formats.length === 0) return;
  throw new ServiceError("FORMAT_NOT_ALLOWED", `This key may not ask for ${formats.join(", ")}.`, {
    details: { formats, allowed: [...allowed].sort() },
  });
}
