// What other rooms use of this folder.
export type { StoreHealth } from "./health.ts";
export { resultAgeMs } from "./retention.ts";
