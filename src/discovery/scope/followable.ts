// Which URLs lead to something worth reading, by nothing but their looks: no files that cannot be read, no buttons for
// sharing, no endless spaces.

/** Followed are pages, whatever has no known ending, and every kind of text and document that can be read. */
const unreadableEndings = new Set(
  [
    // Images
    "png apng jpg jpeg jpe jfif gif webp avif svg svgz ico cur bmp tif tiff heic heif jxl jp2 psd eps xcf raw cr2 nef dng",
    // Sound
    "mp3 wav ogg oga opus flac m4a m4b aac wma aif aiff mid midi amr m3u m3u8 pls",
    // Films
    "mp4 m4v webm mkv avi mov wmv flv f4v swf mpg mpeg mpe 3gp 3g2 ogv vob mpd rm",
    // Archives
    "zip gz tgz bz2 tbz tbz2 xz txz zst lz lz4 lzma br 7z rar tar cab cpio ace arj",
    // Programs and images of discs
    "exe msi msix dmg pkg deb rpm apk aab ipa xapk appimage snap flatpak jar war ear whl gem nupkg crx xpi vsix dll dylib",
    "bin iso img vhd vmdk ova wasm pyc class torrent",
    // Fonts
    "woff woff2 ttf otf ttc eot",
    // Parts of pages
    "css scss less js mjs cjs map",
    // Data and drawings without text; calendars and contacts
    "sqlite sqlite3 mdb accdb dbf parquet avro npz npy pkl h5 shp kmz dwg dxf stl step blend fbx glb indd ics vcf",
  ].flatMap((endings) => endings.split(" ")),
);
const longestEnding = Math.max(...[...unreadableEndings].map((ending) => ending.length));

/** Images whose text can be recognized. */
const imageEndings = new Set("png jpg jpeg jpe jfif gif webp avif bmp tif tiff jp2".split(" "));

export function isUnreadableFile(path: string, readsImages = false): boolean {
  const dot = path.lastIndexOf(".");
  if (dot === -1 || path.length - dot - 1 > longestEnding) return false;
  // An ending with a slash in it is in no table.
  const ending = path.slice(dot + 1).toLowerCase();
  return unreadableEndings.has(ending) && !(readsImages && imageEndings.has(ending));
}

/** Buttons that put a page into a network. Paths are lower-case and cover what lies below them; subdomains count too. */
const sharePaths = new Map<string, readonly string[]>([
  ["facebook.com", ["/sharer", "/sharer.php", "/share.php", "/dialog/share", "/dialog/feed", "/dialog/send"]],
  ["twitter.com", ["/intent", "/share"]],
  ["x.com", ["/intent", "/share"]],
  ["linkedin.com", ["/sharearticle", "/sharing", "/cws/share"]],
  ["pinterest.com", ["/pin/create"]],
  ["pinterest.de", ["/pin/create"]],
  ["pinterest.fr", ["/pin/create"]],
  ["pinterest.co.uk", ["/pin/create"]],
  ["whatsapp.com", ["/send"]],
  ["wa.me", [""]],
  ["t.me", ["/share"]],
  ["telegram.me", ["/share"]],
  ["reddit.com", ["/submit"]],
  ["bsky.app", ["/intent"]],
  ["threads.net", ["/intent"]],
  ["threads.com", ["/intent"]],
  ["tumblr.com", ["/share", "/widgets/share"]],
  ["news.ycombinator.com", ["/submitlink"]],
  ["vk.com", ["/share.php"]],
  ["connect.ok.ru", ["/offer"]],
  ["weibo.com", ["/share"]],
  ["line.me", ["/lineit/share", "/r/msg", "/r/share"]],
  ["xing.com", ["/spi/shares", "/app/user"]],
  ["b.hatena.ne.jp", ["/add", "/entry"]],
  ["getpocket.com", ["/save", "/edit"]],
  ["instapaper.com", ["/hello2", "/edit"]],
  ["flipboard.com", ["/bookmarklet"]],
  ["buffer.com", ["/add"]],
  ["bufferapp.com", ["/add"]],
  ["digg.com", ["/submit"]],
  ["mix.com", ["/add"]],
  ["addtoany.com", ["/add_to", "/share"]],
  ["addthis.com", ["/bookmark.php"]],
]);

export function isShareLink(url: URL): boolean {
  const host = url.hostname;
  const paths = sharePaths.get(host) ?? sharePaths.get(host.slice(host.indexOf(".") + 1));
  if (paths === undefined) return false;
  const path = `${url.pathname.toLowerCase()}/`;
  return paths.some((shared) => path.startsWith(`${shared}/`));
}

/** Beyond these a path leads in circles. */
const maxPathDepth = 50;
const maxSameSegments = 3;

/** Sites whose pages link ever deeper below themselves have no end. */
export function isEndlessPath(path: string): boolean {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  let depth = 0;
  for (let slash = 0; slash !== -1 && slash < end; slash = path.indexOf("/", slash + 1)) depth += 1;
  if (depth <= maxSameSegments) return false;
  return depth > maxPathDepth || hasRepeats(path.slice(1, end).split("/"));
}

/** At most some fifty segments, mostly five: comparing them costs less than a map. */
function hasRepeats(segments: readonly string[]): boolean {
  for (let one = 0; one < segments.length - maxSameSegments; one += 1) {
    let count = 1;
    for (let other = one + 1; other < segments.length; other += 1) if (segments[other] === segments[one]) count += 1;
    if (count > maxSameSegments) return true;
  }
  return false;
}
