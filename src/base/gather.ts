// Gathers look-ups that are asked for at the same time into one: twenty rows cost little more than one.

/** Each caller gets the value of its key, or null without one. */
export function createGatherer<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | null> {
  let gathering: { keys: string[]; found: Promise<ReadonlyMap<string, Value>> } | null = null;

  async function readLater(keys: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    // One turn of the event loop lets everything that is ready now join.
    await new Promise((turn) => setImmediate(turn));
    gathering = null;
    return read(keys);
  }

  return async (key) => {
    if (gathering === null) {
      const keys: string[] = [];
      gathering = { keys, found: readLater(keys) };
    }
    gathering.keys.push(key);
    return (await gathering.found).get(key) ?? null;
  };
}
