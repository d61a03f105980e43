// Programs of the field that read web archives, to hold ours against.
const base = new URL("../clients/node_modules/", import.meta.url);

export interface ReadRecord {
  warcType: string | null;
  warcTargetURI: string | null;
  warcDate: string | null;
  warcHeaders: { protocol: string; headers: { get(name: string): string | null } };
  httpHeaders: { statusCode: number; headers: { get(name: string): string | null } } | null;
  payload: Uint8Array;
  readFully(isHttp: boolean): Promise<Uint8Array>;
}

interface Warcio {
  WARCParser: {
    new (
      source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      options?: object,
    ): AsyncIterable<ReadRecord> & { offset: number; recordLength: number };
  };
  CDXIndexer: new (
    options: object,
  ) => {
    iterIndex(files: { filename: string; reader: AsyncIterable<Uint8Array> }[]): AsyncIterable<Record<string, unknown>>;
  };
  getSurt(url: string): string;
}

const load = <Module>(path: string): Promise<Module> => import(new URL(path, base).href);

export const loadWarcio = async (): Promise<Warcio> => {
  const [main, utils] = await Promise.all([
    load<Omit<Warcio, "getSurt">>("warcio/dist/index.js"),
    load<Pick<Warcio, "getSurt">>("warcio/dist/utils.js"),
  ]);
  return { ...main, getSurt: utils.getSurt };
};

/** Of a whole file. */
export async function readWarc(bytes: Uint8Array) {
  const { WARCParser } = await loadWarcio();
  const records: { type: string; url: string; record: ReadRecord; raw: Uint8Array }[] = [];
  for await (const record of new WARCParser([bytes], { keepHeadersCase: false, parseHttp: false })) {
    const raw = await record.readFully(false);
    records.push({ type: record.warcType ?? "", url: record.warcTargetURI ?? "", record, raw });
  }
  return records;
}
