// A DNS server for tests: answers A and AAAA queries over UDP from a function, and remembers what it was asked.
import { createSocket } from "node:dgram";
import { isIPv4, isIPv6 } from "node:net";

export interface DnsServer {
  host: string;
  port: number;
  /** Names of the A queries, in order. */
  queries: string[];
  close(): Promise<void>;
}

/** `answer` gets the name and how often it was asked for before; null is "no such name". */
export async function startDnsServer(answer: (name: string, before: number) => string[] | null): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  const askedBefore = new Map<string, number>();

  socket.on("message", (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    // A and AAAA of one lookup belong together: only A counts.
    const before = askedBefore.get(name) ?? 0;
    const records = answer(name, type === 1 ? before : Math.max(0, before - 1));
    if (type === 1) {
      queries.push(name);
      askedBefore.set(name, before + 1);
    }
    const wanted = (records ?? []).filter(type === 1 ? isIPv4 : isIPv6).map((address) => encodeAddress(address));
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(records === null ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(wanted.length, 6);
    const rows = wanted.map((data) => {
      const row = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([row, data]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...rows]), from.port, from.address);
  });

  await new Promise<void>((ready) => socket.bind(0, "127.0.0.1", ready));
  const close = () => new Promise<void>((done) => socket.close(() => done()));
  return { host: "127.0.0.1", port: socket.address().port, queries, close };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const length = query[at] as number;
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const full = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = full.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
}
