// A figure that a part of the service can tell at any time. How it is published is not its business.

interface MeasuredValue {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface Measure {
  /** Without the prefix of the service; a counter ends in `_total`, a unit is the last word before that. */
  name: string;
  help: string;
  kind: "counter" | "gauge";
  labelNames?: readonly string[];
  read(): readonly MeasuredValue[] | Promise<readonly MeasuredValue[]>;
}
