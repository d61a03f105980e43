// Runs in a worker thread of pool.ts.
import { readContent } from "./content.ts";

export const read = readContent;
