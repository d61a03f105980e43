// What a page costs with its options.
import { prices } from "../../accounts/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { FormatName } from "../formats/format-row.ts";
import { paidOutputs } from "../formats/formats.ts";

export function pagePrice(options: ScrapeOptions): number {
  const extra = [...paidOutputs(options.formats)].reduce((sum, name) => sum + priceOf(name), 0);
  if (options.lockdown) return prices.lockdownHit + extra;
  return prices.page + extra + (options.zeroDataRetention ? prices.zeroDataRetention : 0);
}

function priceOf(name: FormatName): number {
  return name in prices ? prices[name as keyof typeof prices] : 0;
}
