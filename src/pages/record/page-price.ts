// What a page costs with its options.
import { prices } from "../../accounts/index.ts";
import { formats, type ScrapeOptions } from "../../contract/index.ts";
import { paidOutputs } from "../formats/formats.ts";

export function pagePrice(options: ScrapeOptions): number {
  const extra = [...paidOutputs(options.formats)].reduce((sum, name) => sum + formats[name].credits, 0);
  if (options.lockdown) return prices.lockdownHit + extra;
  return prices.page + extra + (options.zeroDataRetention ? prices.zeroDataRetention : 0);
}
