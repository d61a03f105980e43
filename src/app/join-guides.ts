// The docs at /docs, loaded when somebody opens them.
import { createLazy } from "../base/index.ts";
import type { HttpDeps } from "../http/index.ts";

export function joinGuides(
  version: string,
  hasDashboard: boolean,
  api: { listApiTags(): readonly string[]; buildOpenApi(): object },
): HttpDeps["answerGuide"] {
  // Loaded late: most servers run for months without a reader.
  const site = createLazy(async () =>
    (await import("../guides/index.ts")).createGuideSite({
      version,
      hasDashboard,
      ...api,
      openTextIndex: async (texts) => {
        // The engine of the local index comes with the first search.
        const { createTextIndex } = await import("../search/index.ts");
        return createTextIndex(texts);
      },
    }),
  );
  return async (request) => (await site.open()).answer(request);
}
