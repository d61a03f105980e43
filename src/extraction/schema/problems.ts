// Where a value breaks a schema, by place and in words, so that its author can correct it.
import type { ErrorObject } from "ajv";
import type { Path, Problem } from "../../llm/index.ts";
import { compileSchema } from "./validator.ts";

const maxProblems = 200;

export interface ProblemsRequest {
  /** Checked before. */
  schema: Record<string, unknown>;
  value: unknown;
}

/** Empty when the value is valid. */
export function findProblems({ schema, value }: ProblemsRequest): Problem[] {
  const validator = compileSchema(schema);
  if (!validator.ok) throw new Error(validator.message);
  const errors = validator.errorsOf(value);
  return ownErrors(errors)
    .flatMap((error) => problemsOf(error, errors, value))
    .slice(0, maxProblems);
}

/** Errors of alternatives say why each was not taken: the alternative's own place is what is wrong. */
export function ownErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(isChoice);
  return errors.filter((error) => !choices.some((choice) => choice !== error && isBelow(error, choice)));
}

function problemsOf(error: ErrorObject, all: readonly ErrorObject[], value: unknown): Problem[] {
  const { keyword, params } = error;
  const path = pathIn(value, error.instancePath);
  const wrong = (place: Path, message = error.message ?? "does not follow the schema"): Problem => {
    return { path: place, kind: "wrong", message };
  };
  if (params.missingProperty !== undefined) return [missing(path, String(params.missingProperty))];
  // The rules of a condition's branch report what it requires.
  if (keyword === "if") return [];
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  if (extra !== undefined) return [wrong([...path, String(extra)], "is not a field of the schema")];
  if (keyword === "uniqueItems") return [wrong([...path, Math.max(Number(params.i), Number(params.j))])];
  if (keyword === "maxItems") {
    const { length } = valueAt(value, path) as unknown[];
    const most = Number(params.limit);
    return Array.from({ length: Math.max(0, length - most) }, (_, place) => wrong([...path, most + place]));
  }
  const reasons = isChoice(error) ? all.filter((one) => one !== error && isBelow(one, error)) : [];
  const absent = reasons.flatMap(({ instancePath, params: { missingProperty } }) =>
    missingProperty === undefined ? [] : [missing(pathIn(value, instancePath), String(missingProperty))],
  );
  // No alternative was taken, but only because the page lacks what each of them needs.
  return absent.length > 0 && absent.length === reasons.length ? absent : [wrong(path)];
}

function missing(path: Path, name: string): Problem {
  return { path: [...path, name], kind: "missing", message: "is required" };
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

function isBelow({ schemaPath }: ErrorObject, choice: ErrorObject): boolean {
  return schemaPath.startsWith(`${choice.schemaPath}/`);
}

function pathIn(value: unknown, pointer: string): Path {
  const path: (string | number)[] = [];
  let place = value;
  for (const step of stepsOf(pointer)) {
    const part = Array.isArray(place) ? Number(step) : step;
    path.push(part);
    place = valueAt(place, [part]);
  }
  return path;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((place, part) => (place as Record<string | number, unknown>)?.[part], value);
}

/** Names and places of a JSON pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
