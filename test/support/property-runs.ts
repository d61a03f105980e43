// How many cases a property test tries: few in every run, many with `npm run prove -- properties`.

/** With new cases each time, so many runs of the tests try many all the same. */
const few = 100;

const isProofOfProperties = process.env.TRAWL_PROVE === "properties";

/** `many`: as many as it takes to be sure after a change of what is tested. */
export function propertyRuns(many: number): number {
  return isProofOfProperties ? many : Math.min(few, many);
}
