// How a page looks: read in a world that the page's scripts cannot reach, within bounds.
import type { Page } from "playwright-core";
import { type PageBranding, readLook } from "./brand-script.ts";
import { openWorld, sessionOf } from "./isolated-world.ts";
import { orElse } from "./wait-until-settled.ts";

/** Styles of more elements say nothing new. */
const maxElements = 3000;
const longestMs = 5000;

/** Null when the page does not let itself be looked at in time. */
export async function readBranding(page: Page): Promise<PageBranding | null> {
  const session = await sessionOf(page);
  const read = openWorld(session).then((world) => world.run(readLook, { maxElements }));
  const look = await orElse(
    read.catch(() => null),
    longestMs,
    null,
  );
  return look;
}
