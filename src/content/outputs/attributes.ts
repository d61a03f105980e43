import { attribute, findAll } from "../../html/index.ts";
import type { ContentFormat } from "./content-format.ts";

export interface AttributeQuery {
  selector: string;
  attribute: string;
}

export interface AttributeValues extends AttributeQuery {
  values: string[];
}

const shownNames = 5;

export const attributes: ContentFormat<{ attributes: AttributeValues[] }, { selectors: AttributeQuery[] }> = {
  fromTree: ({ root }, { selectors }) => ({
    attributes: selectors.map(({ selector, attribute: name }) => ({
      selector,
      attribute: name,
      values: findAll(selector, root)
        .map((element) => attribute(element, name.toLowerCase()))
        .filter((value) => value !== undefined),
    })),
  }),
  fromText: (_text, { selectors }) => ({ attributes: selectors.map((query) => ({ ...query, values: [] })) }),
  whenEmpty({ attributes: found }) {
    const without = found.filter(({ values }) => values.length === 0);
    if (without.length === 0) return null;
    const names = without.slice(0, shownNames).map(({ selector, attribute: name }) => `${name} of ${selector}`);
    const more = without.length > shownNames ? ` and ${without.length - shownNames} more` : "";
    return `No element of the page has these attributes: ${names.join(", ")}${more}.`;
  },
};
