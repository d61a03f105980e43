import { availableParallelism, loadavg } from "node:os";

/** So many milliseconds for a machine that does nothing else, and more where many share its cores. */
export function allowingForLoad(ms: number): number {
  const [load = 0] = loadavg();
  return Math.ceil(ms * (1 + load / availableParallelism()));
}
