// Tables of a rich text: cells come one after another, and the row says at its end how they were merged.
import { Blocks } from "../html/html-blocks.ts";
import { type Cell, tableHtml } from "../html/table-html.ts";

interface CellRule {
  isMergedLeft: boolean;
  startsDown: boolean;
  isMergedUp: boolean;
}

const noRule: CellRule = { isMergedLeft: false, startsDown: false, isMergedUp: false };

export class RtfTable {
  private rules: CellRule[] = [];
  private rule: CellRule = { ...noRule };
  private cells: string[] = [];
  private cell = new Blocks();
  private readonly rows: Cell[][] = [];
  private readonly above = new Map<number, Cell>();
  private headRows = 0;
  private isHeadRow = false;

  get blocks(): Blocks {
    return this.cell;
  }

  get isEmpty(): boolean {
    return this.rows.length === 0 && this.cells.length === 0 && this.cell.isEmpty;
  }

  startRow(): void {
    this.rules = [];
    this.rule = { ...noRule };
    this.isHeadRow = false;
  }

  markHead(): void {
    this.isHeadRow = true;
  }

  mark(word: string): void {
    if (word === "clmrg") this.rule.isMergedLeft = true;
    else if (word === "clvmgf") this.rule.startsDown = true;
    else if (word === "clvmrg") this.rule.isMergedUp = true;
  }

  endRule(): void {
    this.rules.push(this.rule);
    this.rule = { ...noRule };
  }

  endCell(): void {
    this.cells.push(this.cell.toString().replace(/^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/, "$1"));
    this.cell = new Blocks();
  }

  endRow(): void {
    const row: Cell[] = [];
    for (const [index, html] of this.cells.entries()) {
      const rule = this.rules[index] ?? noRule;
      const left = row[row.length - 1];
      const up = this.above.get(index);
      if (rule.isMergedLeft && left) left.columns += 1;
      else if (rule.isMergedUp && up) up.rows += 1;
      else {
        const cell: Cell = { html, columns: 1, rows: 1 };
        row.push(cell);
        if (rule.startsDown) this.above.set(index, cell);
        else this.above.delete(index);
      }
    }
    if (row.length > 0) {
      if (this.isHeadRow && this.headRows === this.rows.length) this.headRows += 1;
      this.rows.push(row);
    }
    this.cells = [];
  }

  toString(): string {
    if (!this.cell.isEmpty) this.endCell();
    if (this.cells.length > 0) this.endRow();
    return this.rows.length > 0 ? tableHtml(this.rows, this.headRows) : "";
  }
}
