// A file with captions (WebVTT, SubRip) -> its text, a line a cue.

const maxText = 200_000;
const timing = /^\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->/;

export function captionText(written: string): string {
  const lines: string[] = [];
  let length = 0;
  for (const block of written.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/)) {
    const rows = block.split("\n");
    const at = rows.findIndex((row) => timing.test(row));
    // Headers, styles, regions and notes have no time.
    if (at < 0) continue;
    const said = rows
      .slice(at + 1)
      .map(plainRow)
      .filter((row) => row !== "");
    for (const row of said) {
      // Captions that roll up say each line twice.
      if (row === lines.at(-1)) continue;
      lines.push(row);
      length += row.length + 1;
    }
    if (length > maxText) break;
  }
  return lines.join("\n").slice(0, maxText);
}

function plainRow(row: string): string {
  return row
    .replace(/<[^>]{0,200}>/g, "")
    .replace(/\{\\[^}]{0,100}\}/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}
