// Renders as many pages as each line of standard input says (`COUNT SITE`) and prints when it is done.
import { createInterface } from "node:readline";

/** `needsScripts`: whether a page without what its scripts add is a failure. */
export async function renderOnDemand(render, end, { needsScripts = true } = {}) {
  process.once("SIGTERM", () => Promise.resolve(end()).finally(() => process.exit()));
  console.log("ready;");
  for await (const line of createInterface({ input: process.stdin })) {
    const [count, site] = line.split(" ");
    for (let page = 0; page < Number(count); page += 1) {
      const html = await render(`${site}/page/${page}`);
      if (needsScripts && !html.includes("row 199")) throw new Error("the page's scripts did not run");
    }
    console.log("rendered;");
  }
  await end();
}
