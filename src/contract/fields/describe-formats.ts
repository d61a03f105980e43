// The table of formats for documentation.
import * as z from "zod";
import { type FormatName, type FormatOrigin, formatNames, formats } from "./formats.ts";

interface DescribedFormat {
  name: FormatName;
  description: string;
  madeFrom: FormatOrigin;
  /** The first field of the document that it fills. */
  field: string;
  credits: number;
  options: { name: string; description: string; shownDefault: unknown; isRequired: boolean }[];
}

export function describeFormats(): DescribedFormat[] {
  return formatNames.map((name) => {
    const { description, madeFrom, credits, options, returns } = formats[name];
    const { properties = {}, required = [] } = z.toJSONSchema(z.object(options), { io: "input" });
    return {
      name,
      description,
      madeFrom,
      field: Object.keys(returns)[0] ?? name,
      credits,
      options: Object.entries(properties).map(([option, schema]) => ({
        name: option,
        description: typeof schema === "object" ? (schema.description ?? "") : "",
        shownDefault: typeof schema === "object" ? schema.default : undefined,
        isRequired: required.includes(option),
      })),
    };
  });
}
