// Loaded first. During startup most allocations survive: a young generation that grows for the rest
// would hold 20 MB that an idle server never needs again. After startup the heap grows as usual.
import { setFlagsFromString } from "node:v8";

const factor = "--semi-space-growth-factor";
const usual = 2;

setFlagsFromString(`${factor}=1`);
// The young generation is small and mostly garbage: waking other threads for it took 2 to 5 % of a scrape's CPU.
setFlagsFromString("--no-parallel-scavenge");

/** After startup: from now on most allocations are short-lived. */
export function letHeapGrow(): void {
  setFlagsFromString(`${factor}=${usual}`);
}
