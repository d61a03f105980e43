/** Something that is opened with its first use, so that an idle server stays small. */
export interface Lazy<Value> {
  open(): Promise<Value>;
  /** Null before the first use. */
  opened(): Promise<Value> | null;
}

export function createLazy<Value>(open: () => Promise<Value>): Lazy<Value> {
  let opening: Promise<Value> | null = null;
  return {
    open() {
      opening ??= open();
      return opening;
    },
    opened: () => opening,
  };
}
