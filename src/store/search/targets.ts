// Numbers under which is kept what links say of a page. Twelve bits of its host come first, so that most links of a page are rows
// next to each other: writing a hundred of them changes a few pages of the database instead of two hundred. The other 41 bits tell
// pages apart, those of other teams included.
import { hrefHost } from "../../base/index.ts";

const hostBits = 12;
const pageBits = 41;

export function targetOf(pageKey: Uint8Array, url: string): number {
  return hostNumber(hrefHost(url)) * 2 ** pageBits + (Buffer.from(pageKey).readUIntBE(0, 6) % 2 ** pageBits);
}

function hostNumber(host: string): number {
  let bits = 0;
  for (let place = 0; place < host.length; place += 1) bits = Math.imul(bits ^ host.charCodeAt(place), 0x9e3779b1);
  return (bits ^ (bits >>> 15)) >>> (32 - hostBits);
}
