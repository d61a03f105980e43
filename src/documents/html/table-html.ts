// A grid of cells -> an HTML table that says it is one: tables of files hold data even where they have one row or column.
export interface Cell {
  html: string;
  columns: number;
  rows: number;
}

/** Rows of cells. A cell that spans rows is absent from the rows below it. */
export function tableHtml(rows: readonly (readonly Cell[])[], headRows: number, caption = ""): string {
  const row = (cells: readonly Cell[], tag: "th" | "td") =>
    `<tr>${cells.map(({ html, columns, rows: down }) => `<${tag}${span("colspan", columns)}${span("rowspan", down)}>${html}</${tag}>`).join("")}</tr>`;
  const head = rows.slice(0, headRows).map((cells) => row(cells, "th"));
  const body = rows.slice(headRows).map((cells) => row(cells, "td"));
  const thead = head.length > 0 ? `<thead>${head.join("")}</thead>` : "";
  const name = caption === "" ? "" : `<caption>${caption}</caption>`;
  return `<table role="table">${name}${thead}<tbody>${body.join("")}</tbody></table>`;
}

function span(name: string, count: number): string {
  return count > 1 ? ` ${name}="${count}"` : "";
}
