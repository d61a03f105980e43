// Numbers of all blocks of a page, one column a question, handed out in the order of the model.

type Many<Count extends number, Found extends Float32Array[] = []> = Found["length"] extends Count
  ? Found
  : Many<Count, [...Found, Float32Array]>;

export class Columns {
  readonly all: Float32Array[];
  private next = 0;

  constructor(count: number, rows: number) {
    const numbers = new Float32Array(count * rows);
    this.all = Array.from({ length: count }, (_, at) => numbers.subarray(at * rows, (at + 1) * rows));
  }

  take(): Float32Array {
    this.next += 1;
    return this.all[this.next - 1] as Float32Array;
  }

  takeMany<Count extends number>(count: Count): Many<Count> {
    this.next += count;
    return this.all.slice(this.next - count, this.next) as Many<Count>;
  }
}
