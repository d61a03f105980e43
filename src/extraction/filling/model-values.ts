// A model's values in the form of page findings: each with the passage that holds it.
import type { Passage } from "../../llm/index.ts";
import type { Found } from "../findings/finding.ts";
import type { Locate } from "./file-places.ts";

/** Of a value that is on the page; the page's structured data takes precedence. */
const foundConfidence = 0.7;
/** Of a value that the schema lets the model infer. */
const inferredConfidence = 0.5;

/** Null when there is no value in it. `locate` finds the place of a passage in its file. */
export function foundOf(
  value: unknown,
  evidence: Readonly<Record<string, Passage>>,
  locate: Locate = () => ({}),
  path = "",
): Found | null {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, place) => foundOf(item, evidence, locate, `${path}[${place}]`) ?? []);
    return items.length > 0 ? { kind: "list", items } : null;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).flatMap(([name, below]) => {
      const found = foundOf(below, evidence, locate, path === "" ? name : `${path}.${name}`);
      return found ? [[name, found] as const] : [];
    });
    return fields.length > 0 ? { kind: "object", fields: Object.fromEntries(fields) } : null;
  }
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  if (value === "") return null;
  const passage = Object.hasOwn(evidence, path) ? evidence[path] : undefined;
  const place = { method: "model", selector: "", text: passage?.text ?? "" } as const;
  const confidence = passage ? foundConfidence : inferredConfidence;
  return {
    kind: "value",
    value,
    place: { ...place, confidence, ...(passage ? { url: passage.url, ...locate(passage) } : {}) },
  };
}
