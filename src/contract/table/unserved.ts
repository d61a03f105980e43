// The operations that this version does not serve, each with what a caller can use instead. Their rows stay in the table:
// they authenticate and validate like any other, then answer 501 with this sentence. Every other operation must exist.

const support =
  "This server has no support assistant. Read the job's trace at GET /v2/jobs/{id}/trace, or the documentation.";

export const unserved = {
  askSupport: support,
  searchSupport: support,
} as const;

export type UnservedName = keyof typeof unserved;

/** What to use instead of an operation that is not served; null when it is served. */
export function insteadOf(operation: string): string | null {
  return Object.hasOwn(unserved, operation) ? unserved[operation as UnservedName] : null;
}
