// The text state of the page description language: where the next character goes.

export type Matrix = readonly [number, number, number, number, number, number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** `inner` first, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
  ];
}

export function apply(matrix: Matrix, x: number, y: number): [number, number] {
  return [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]];
}

/** Whatever a file passes as a matrix; a broken one changes nothing. */
export function readMatrix(value: unknown): Matrix {
  const list = value ? Array.from(value as ArrayLike<number>) : [];
  return list.length === 6 && list.every(Number.isFinite) ? (list as unknown as Matrix) : identity;
}

export interface DrawnChar {
  unicode?: string;
  width?: number;
  isSpace?: boolean;
  /** Widths of the vertical writing mode. */
  vmetric?: readonly number[];
}

export interface DrawnFont {
  name?: string;
  bold?: boolean;
  black?: boolean;
  italic?: boolean;
  vertical?: boolean;
  isType3Font?: boolean;
  fontMatrix?: readonly number[];
  defaultVMetrics?: readonly number[];
}

export interface PlacedChar {
  text: string;
  /** Start and end of the baseline on the page. */
  start: [number, number];
  end: [number, number];
  size: number;
}

export class TextState {
  font: DrawnFont = {};
  fontKey = "";
  #now = { size: 0, charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0, matrix: identity, x: 0, y: 0 };
  /** Where the line began. */
  #line = { x: 0, y: 0 };

  copy(): TextState {
    const other = new TextState();
    other.font = this.font;
    other.fontKey = this.fontKey;
    other.#now = { ...this.#now };
    other.#line = { ...this.#line };
    return other;
  }

  setFont(key: string, font: DrawnFont, size: number): void {
    this.fontKey = key;
    this.font = font;
    this.#now.size = size;
  }

  setSpacing(kind: "char" | "word" | "scale" | "leading" | "rise", value: number): void {
    if (kind === "char") this.#now.charSpacing = value;
    else if (kind === "word") this.#now.wordSpacing = value;
    else if (kind === "scale") this.#now.scale = value / 100;
    else if (kind === "leading") this.#now.leading = -value;
    else this.#now.rise = value;
  }

  begin(): void {
    this.setMatrix(identity);
  }

  setMatrix(matrix: Matrix): void {
    this.#now.matrix = matrix;
    this.#now.x = this.#line.x = 0;
    this.#now.y = this.#line.y = 0;
  }

  move(x: number, y: number): void {
    this.#line.x += x;
    this.#line.y += y;
    this.#now.x = this.#line.x;
    this.#now.y = this.#line.y;
  }

  nextLine(): void {
    this.move(0, this.#now.leading);
  }

  *show(chars: readonly (DrawnChar | number | null)[], page: Matrix): Generator<PlacedChar> {
    const { font } = this;
    const size = this.#now.size;
    const isVertical = font.vertical === true;
    const unit = font.fontMatrix?.[0] ?? 0.001;
    const matrix = multiply(page, this.#now.matrix);
    for (const char of chars) {
      if (typeof char === "number") {
        if (isVertical) this.#now.y -= (char * size) / 1000;
        else this.#now.x -= (char * size * this.#now.scale) / 1000;
        continue;
      }
      if (!char) continue;
      const spacing = this.#now.charSpacing + (char.isSpace ? this.#now.wordSpacing : 0);
      const y = this.#now.y + this.#now.rise;
      const text = char.unicode ?? "";
      if (isVertical) {
        // A column is a line that runs down the page; its baseline is the left side of its characters.
        const metric = char.vmetric ?? font.defaultVMetrics ?? [-1000, 500, 880];
        const advance = (metric[0] ?? -1000) * unit * size;
        const left = this.#now.x - size * 0.38;
        const start = apply(matrix, left, y);
        const end = apply(matrix, left, y + advance);
        yield { text, start, end, size: heightOf(matrix, size) };
        this.#now.y += advance - spacing;
      } else {
        const advance = (char.width ?? 0) * unit * size;
        const start = apply(matrix, this.#now.x, y);
        const end = apply(matrix, this.#now.x + advance * this.#now.scale, y);
        const scale = font.isType3Font ? unit * 1000 : 1;
        yield { text, start, end, size: heightOf(matrix, size * scale) };
        this.#now.x += (advance + spacing) * this.#now.scale;
      }
    }
  }
}

function heightOf(matrix: Matrix, y: number): number {
  return Math.hypot(matrix[2] * y, matrix[3] * y);
}
