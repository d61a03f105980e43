// How many cases a property test tries, few in every run and many with `npm run prove -- properties`; and cases of any text.
import fc, { type StringConstraints } from "fast-check";

/** With new cases each time, so many runs of the tests try many all the same. */
const few = 25;

export const isProofOfProperties = process.env.TRAWL_PROVE === "properties";

/** `many`: as many as it takes to be sure after a change of what is tested. */
export function propertyRuns(many: number): number {
  return isProofOfProperties ? many : Math.min(few, many);
}

const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** Of all characters, as fast-check's unit `binary`, whose tables take two seconds of CPU in each process. */
export const anyText = (constraints: StringConstraints = {}) => fc.string({ unit: codePoint, ...constraints });
