// What axe finds on a page as it is shown.
import axe from "axe-core";
import type { Page } from "playwright-core";

const serious = ["serious", "critical"];

/** Only colours differ between the themes of one width. The page's policy allows no script of ours: the debugger puts it there. */
export async function axeFindings(page: Page, isOnlyColours = false, impacts = serious): Promise<string[]> {
  // Once a page: it is a megabyte and a half, which would be sent and read for every section.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const runOnly = isOnlyColours ? `{ type: "rule", values: ["color-contrast"] }` : "undefined";
  const { violations } = (await page.evaluate(`axe.run({ runOnly: ${runOnly}, resultTypes: ["violations"] })`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
}
