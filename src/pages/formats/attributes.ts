import type { FormatRow } from "./format-row.ts";

const shownNames = 5;

export const attributes: FormatRow<"attributes"> = {
  source: "content",
  field: "attributes",
  content: ({ selectors }) => ({ attributes: selectors }),
  whenEmpty({ attributes: found = [] }) {
    const without = found.filter(({ values }) => values.length === 0);
    if (without.length === 0) return null;
    const names = without.slice(0, shownNames).map(({ selector, attribute }) => `${attribute} of ${selector}`);
    const more = without.length > shownNames ? ` and ${without.length - shownNames} more` : "";
    return `No element of the page has these attributes: ${names.join(", ")}${more}.`;
  },
};
