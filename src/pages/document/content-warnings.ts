// What is to be said about the content of a page: whatever comes back empty is named, so that no success hides it.
import { sentence } from "../../base/index.ts";
import type { PageContent } from "../../content/index.ts";

type Outputs = Pick<PageContent, "links" | "images" | "attributes" | "html" | "rawHtml">;

const shownNames = 5;

/** Whole sentences: they stand in one text with those of other parts. */
export function contentWarnings(said: readonly string[], outputs: Outputs): string[] {
  const { links, images, attributes = [], html, rawHtml } = outputs;
  const without = attributes.filter(({ values }) => values.length === 0);
  const names = without.slice(0, shownNames).map(({ selector, attribute }) => `${attribute} of ${selector}`);
  const more = without.length > shownNames ? ` and ${without.length - shownNames} more` : "";
  return [
    ...said.map(sentence),
    ...(rawHtml === "" || (html === "" && said.length === 0) ? ["The page is empty."] : []),
    ...(links?.length === 0 ? ["The page has no links."] : []),
    ...(images?.length === 0 ? ["The page has no images."] : []),
    ...(without.length > 0 ? [`Attributes that nothing on the page has: ${names.join(", ")}${more}.`] : []),
  ];
}
