// Scripts of outputs read the finished page: in a world that the page's scripts cannot reach, within bounds.

import type { Page } from "playwright-core";
import { openWorld, sessionOf } from "./isolated-world.ts";
import { orElse } from "./wait-until-settled.ts";

const longestMs = 5000;

/** By name what each function of the page gave; without those that failed or took too long. */
export async function runScripts(
  page: Page,
  scripts: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, script] of Object.entries(scripts)) {
    const result = sessionOf(page)
      .then(openWorld)
      .then((world) => world.run<null, unknown>(script, null));
    const value = await orElse(
      result.catch(() => null),
      longestMs,
      null,
    );
    if (value !== null && value !== undefined) found[name] = value;
  }
  return found;
}
