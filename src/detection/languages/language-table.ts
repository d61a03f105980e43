// The model of languages as a file: a header in JSON that ends with an empty line; hashes of parts of words in ascending order, each as the step
// from the one before, in four planes of bytes that pack well; how many languages each has, and these languages with their weights.

export interface LanguageTable {
  languages: readonly string[];
  hashes: Uint32Array;
  /** Where the weights of each part begin; one more than there are parts. */
  starts: Uint32Array;
  places: Uint8Array;
  weights: Uint8Array;
}

const modelVersion = 2;

/** Throws a sentence that says why the file cannot be used. The memory of the table is shared by the threads that get it. */
export function readLanguageTable(file: Uint8Array): LanguageTable {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const end = bytes.indexOf("\n\n");
  if (end < 0) throw new Error("The model of languages has no header");
  const header = JSON.parse(bytes.toString("utf8", 0, end)) as {
    version: number;
    languages: string[];
    parts: number;
    weights: number;
  };
  if (header.version !== modelVersion)
    throw new Error(`The model of languages has version ${header.version}; this code reads version ${modelVersion}`);
  const { languages, parts, weights } = header;
  const body = end + 2;
  if (body + parts * 5 + weights * 2 !== file.byteLength)
    throw new Error(`The model of languages has ${file.byteLength} bytes; its header describes others`);
  const counts = file.subarray(body + parts * 4, body + parts * 5);
  const starts = new Uint32Array(new SharedArrayBuffer((parts + 1) * 4));
  for (let part = 0; part < parts; part += 1) starts[part + 1] = (starts[part] as number) + (counts[part] as number);
  const listed = body + parts * 5;
  return {
    languages,
    hashes: readHashes(file.subarray(body, body + parts * 4), parts),
    starts,
    places: shared(file.subarray(listed, listed + weights)),
    weights: shared(file.subarray(listed + weights)),
  };
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

type Planes = [Uint8Array, Uint8Array, Uint8Array, Uint8Array];

function readHashes(planes: Uint8Array, parts: number): Uint32Array {
  const hashes = new Uint32Array(new SharedArrayBuffer(parts * 4));
  const [low, second, third, high] = [0, 1, 2, 3].map((plane) => planes.subarray(plane * parts)) as Planes;
  let hash = 0;
  for (let part = 0; part < parts; part += 1) {
    const step =
      (low[part] as number) |
      ((second[part] as number) << 8) |
      ((third[part] as number) << 16) |
      ((high[part] as number) << 24);
    hash = (hash + step) | 0;
    hashes[part] = hash;
  }
  return hashes;
}

/** The place of a part, or -1. */
export function placeOfPart({ hashes }: LanguageTable, hash: number): number {
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = hashes[middle] as number;
    if (found === hash) return middle;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
