import { type PageFormat, readerInput } from "./page-format.ts";

/** A model is asked at most when there is no extractor for the page's host that fits. */
export const deterministicJson: PageFormat<"deterministicJson"> = {
  order: 1,
  wants: readerInput,
  usesExtractor: true,
  readsText: "with a model",
  make: async (_format, { data }) => ({ outputs: data ? { json: data.data } : {} }),
  paidAs: () => "json",
};
