// A line of a CSV file, by RFC 4180: fields in quotes where they need it, ended by CR LF.

export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(field).join(",")}\r\n`;
}

function field(value: string | number | boolean | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = isFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const number = /^[+-]?[\d.,\s]{1,40}%?$/;

/** Spreadsheets run such values as formulas, and pages are not trusted. A markdown list begins with a dash and a space. */
function isFormula(text: string): boolean {
  return /^[=+@\t\r]|^-[^\s-]/.test(text) && !number.test(text);
}
