// What the parts measure, by the names under which it is published.
import type { Measure } from "../base/index.ts";
import type { Store } from "../store/index.ts";
import type { SearchPart } from "./join-search.ts";

export interface MeasuredParts {
  store: Store;
  search: SearchPart;
}

export function joinMeasures({ store, search }: MeasuredParts): Measure[] {
  return [...sourceMeasures(search), ...blobMeasures(store)];
}

function sourceMeasures({ sourceCounts }: SearchPart): Measure[] {
  return (["requests", "failures", "rests"] as const).map((what) => ({
    name: `search_source_${what}_total`,
    help: `${what} of open search sources`,
    kind: "counter",
    labelNames: ["source"],
    read: () => [...sourceCounts()].map(([source, counts]) => ({ labels: { source }, value: counts[what] })),
  }));
}

function blobMeasures({ outside }: Store): Measure[] {
  return [
    {
      name: "blob_place_resting",
      help: "1 while a place outside of the database that failed is left alone",
      kind: "gauge",
      labelNames: ["place"],
      read: () => outside.resting().map(({ place, isResting }) => ({ labels: { place }, value: Number(isResting) })),
    },
    {
      name: "blob_operations_total",
      help: "Blobs written to, read from and removed from where they lie outside of the database, by outcome",
      kind: "counter",
      labelNames: ["place", "operation", "outcome"],
      read: () =>
        outside.counts().map(({ place, operation, outcome, count }) => ({
          labels: { place, operation, outcome },
          value: count,
        })),
    },
  ];
}
