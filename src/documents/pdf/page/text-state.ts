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
  #size = 0;
  #charSpacing = 0;
  #wordSpacing = 0;
  #scale = 1;
  #leading = 0;
  #rise = 0;
  #matrix: Matrix = identity;
  #lineX = 0;
  #lineY = 0;
  #x = 0;
  #y = 0;

  copy(): TextState {
    const other = new TextState();
    other.font = this.font;
    other.fontKey = this.fontKey;
    other.#size = this.#size;
    other.#charSpacing = this.#charSpacing;
    other.#wordSpacing = this.#wordSpacing;
    other.#scale = this.#scale;
    other.#leading = this.#leading;
    other.#rise = this.#rise;
    other.#matrix = this.#matrix;
    other.#lineX = this.#lineX;
    other.#lineY = this.#lineY;
    other.#x = this.#x;
    other.#y = this.#y;
    return other;
  }

  setFont(key: string, font: DrawnFont, size: number): void {
    this.fontKey = key;
    this.font = font;
    this.#size = size;
  }

  setSpacing(kind: "char" | "word" | "scale" | "leading" | "rise", value: number): void {
    if (kind === "char") this.#charSpacing = value;
    else if (kind === "word") this.#wordSpacing = value;
    else if (kind === "scale") this.#scale = value / 100;
    else if (kind === "leading") this.#leading = -value;
    else this.#rise = value;
  }

  begin(): void {
    this.setMatrix(identity);
  }

  setMatrix(matrix: Matrix): void {
    this.#matrix = matrix;
    this.#x = this.#lineX = 0;
    this.#y = this.#lineY = 0;
  }

  move(x: number, y: number): void {
    this.#lineX += x;
    this.#lineY += y;
    this.#x = this.#lineX;
    this.#y = this.#lineY;
  }

  nextLine(): void {
    this.move(0, this.#leading);
  }

  *show(chars: readonly (DrawnChar | number | null)[], page: Matrix): Generator<PlacedChar> {
    const { font } = this;
    const size = this.#size;
    const isVertical = font.vertical === true;
    const unit = font.fontMatrix?.[0] ?? 0.001;
    const matrix = multiply(page, this.#matrix);
    for (const char of chars) {
      if (typeof char === "number") {
        if (isVertical) this.#y -= (char * size) / 1000;
        else this.#x -= (char * size * this.#scale) / 1000;
        continue;
      }
      if (!char) continue;
      const spacing = this.#charSpacing + (char.isSpace ? this.#wordSpacing : 0);
      const y = this.#y + this.#rise;
      const text = char.unicode ?? "";
      if (isVertical) {
        // A column is a line that runs down the page; its baseline is the left side of its characters.
        const metric = char.vmetric ?? font.defaultVMetrics ?? [-1000, 500, 880];
        const advance = (metric[0] ?? -1000) * unit * size;
        const left = this.#x - size * 0.38;
        const start = apply(matrix, left, y);
        const end = apply(matrix, left, y + advance);
        yield { text, start, end, size: lengthOf(matrix, 0, size) };
        this.#y += advance - spacing;
      } else {
        const advance = (char.width ?? 0) * unit * size;
        const start = apply(matrix, this.#x, y);
        const end = apply(matrix, this.#x + advance * this.#scale, y);
        const scale = font.isType3Font ? unit * 1000 : 1;
        yield { text, start, end, size: lengthOf(matrix, 0, size * scale) };
        this.#x += (advance + spacing) * this.#scale;
      }
    }
  }
}

function lengthOf(matrix: Matrix, x: number, y: number): number {
  return Math.hypot(matrix[0] * x + matrix[2] * y, matrix[1] * x + matrix[3] * y);
}
