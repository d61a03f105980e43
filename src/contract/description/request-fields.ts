// The fields of an operation's request, for faces that offer them by name: flags of the command line, arguments of tools.
import { endpointFor } from "../operations/all-endpoints.ts";
import { type JsonSchema, jsonSchemaOf, withoutReferences } from "./json-schema.ts";

interface RequestFields {
  /** JSON Schema of each field, without references. */
  fields: Record<string, JsonSchema>;
  required: string[];
}

/** Fields that say who sends, or that have no effect. */
const unseen = ["origin", "integration"];

const known = new Map<string, RequestFields>();

/** Of params, query and body together. */
export function requestFields(operation: string): RequestFields {
  const earlier = known.get(operation);
  if (earlier) return earlier;
  const row = endpointFor(operation);
  const schemas = [row?.params, row?.query, row?.body].flatMap((schema) =>
    schema ? [withoutReferences(jsonSchemaOf(schema, "input"))] : [],
  );
  const fields = Object.assign({}, ...schemas.map(({ properties }) => properties)) as Record<string, JsonSchema>;
  const shown = Object.entries(fields).filter(
    ([name, { description }]) => !unseen.includes(name) && !String(description).startsWith("Accepted and ignored"),
  );
  const made = {
    fields: Object.fromEntries(shown),
    required: schemas.flatMap(({ required }) => (required as string[] | undefined) ?? []),
  };
  known.set(operation, made);
  return made;
}
