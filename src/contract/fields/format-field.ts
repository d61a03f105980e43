// The format field of a request, made from the table of formats: a bare name, or an object with options.
import * as z from "zod";
import { scalarText } from "../../base/index.ts";
import { type FormatName, formatNames, formats } from "./formats.ts";

type Formats = typeof formats;
/** A format without required options can be requested by its bare name. */
type BareName<Name extends FormatName> = {
  [Each in Name]: Record<never, never> extends z.input<z.ZodObject<Formats[Each]["options"]>> ? Each : never;
}[Name];

type FormatObject<Name extends FormatName> = {
  [Each in Name]: Formats[Each]["options"] extends infer Options extends z.ZodRawShape
    ? z.ZodObject<{ type: z.ZodLiteral<Each> } & Options, z.core.$strict>
    : never;
}[Name];

function objectForm<Name extends FormatName>(names: readonly Name[]) {
  const objects = names.map((type) => z.strictObject({ type: z.literal(type), ...formats[type].options }));
  return z.discriminatedUnion("type", objects as unknown as [FormatObject<Name>, ...FormatObject<Name>[]]);
}

function hasRequiredOptions(name: FormatName): boolean {
  return !z.object(formats[name].options).safeParse({}).success;
}

function bareForm<Name extends FormatName>(names: readonly Name[]) {
  return z.enum(names.filter((name) => !hasRequiredOptions(name)) as unknown as BareName<Name>[], {
    error: ({ input }) => {
      const given = scalarText(input);
      return names.some((name) => name === given)
        ? `The format ${given} has required options: send an object with its type and options`
        : `Unknown format: must be one of ${names.join(", ")}`;
    },
  });
}

const formatObject = objectForm(formatNames);

export type Format = z.output<typeof formatObject>;

/** The format of a bare name, with its defaults. */
export function plainFormat(type: BareName<FormatName>): Format {
  return formatObject.parse({ type });
}

export const format = z
  .union([bareForm(formatNames).transform(plainFormat), formatObject])
  .meta({ id: "Format", description: "A format: its name, or an object with its name as type and its options" });
