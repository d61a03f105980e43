// Numbers under which is kept what links say of a page. Twelve bits of its folder come first, so that most links of a page are rows
// close to each other: writing a hundred of them changes a few pages of the database instead of two hundred. The other 41 bits
// tell pages apart, those of other teams included.

const folderBits = 12;
const pageBits = 41;

export function targetOf(pageKey: Uint8Array, url: string): number {
  return folderNumber(url) * 2 ** pageBits + (Buffer.from(pageKey).readUIntBE(0, 6) % 2 ** pageBits);
}

/** Of the URL up to the last slash of its path. */
function folderNumber(url: string): number {
  const query = url.indexOf("?");
  const end = url.lastIndexOf("/", query === -1 ? url.length : query);
  let bits = 0;
  for (let place = 0; place < end; place += 1) bits = Math.imul(bits ^ url.charCodeAt(place), 0x9e3779b1);
  return (bits ^ (bits >>> 15)) >>> (32 - folderBits);
}
