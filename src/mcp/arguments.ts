// Arguments as other servers of the same tools name them.

interface Json {
  [key: string]: unknown;
}

/** Options that stand beside the formats, by the format they belong to. */
const besideFormats: Record<string, string> = {
  jsonOptions: "json",
  queryOptions: "query",
  screenshotOptions: "screenshot",
  changeTrackingOptions: "changeTracking",
};

/** `formats: ["json"], jsonOptions: {…}` as `formats: [{ type: "json", … }]`; and `pdfOptions` as a parser. */
export function understandArguments({ pdfOptions, ...args }: Json): Json {
  const options = Object.entries(besideFormats).filter(([name]) => name in args);
  const parsers = isObject(pdfOptions) ? { parsers: [{ type: "pdf", ...pdfOptions }] } : {};
  if (options.length === 0) return { ...parsers, ...args };
  const given = Array.isArray(args["formats"]) ? args["formats"] : [];
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !(name in besideFormats)));
  let formats = given as unknown[];
  for (const [name, type] of options) {
    const whole = { type, ...(isObject(args[name]) ? args[name] : {}) };
    formats = formats.includes(type) ? formats.map((each) => (each === type ? whole : each)) : [...formats, whole];
  }
  return { ...parsers, ...rest, formats };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
