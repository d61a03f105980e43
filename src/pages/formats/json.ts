import { type PageFormat, readerInput } from "./page-format.ts";

export const json: PageFormat<"json"> = {
  order: 1,
  wants: readerInput,
  readsText: "with a model",
  make: async ({ evidence }, { data }) => ({
    outputs: data ? { json: data.data, ...(evidence ? { evidence: data.evidence } : {}) } : {},
  }),
};
