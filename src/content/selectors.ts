export interface BadSelector {
  index: number;
  selector: string;
  message: string;
}

/** The first selector that cannot be used, or null. */
export function findBadSelector(_selectors: readonly string[]): BadSelector | null {
  throw new Error("not built yet");
}
