// Packs what the site at /docs is made of into one file: pages, small pictures, its style sheet and its script. It is read with
// the first request to /docs.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = join(root, "docs");
const file = resolve(process.argv[2] ?? "dist/guides/site.br");
/** Larger pictures are served from a checkout only: they would be most of the package. */
const largestPicture = 60_000;

const names = readdirSync(docs, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(docs, join(entry.parentPath, entry.name)).split(sep).join("/"))
  .filter((name) => !name.startsWith("decisions/"))
  .sort();
const read = (name) => readFileSync(join(docs, name), "utf8");

const pages = Object.fromEntries(names.filter((name) => name.endsWith(".md")).map((name) => [name, read(name)]));
const pictures = Object.fromEntries(
  names
    .filter((name) => /\.(?:svg|png)$/.test(name))
    .map((name) => [name, name.endsWith(".svg") && read(name).length <= largestPicture ? read(name) : null]),
);
const { outputFiles } = await build({
  entryPoints: [join(root, "src/guides/web/guide-script.ts"), join(root, "src/guides/web/guide-style.css")],
  outdir: docs,
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  target: ["es2022"],
  logLevel: "warning",
});
const assets = Object.fromEntries(outputFiles.map(({ path, text }) => [relative(docs, path), text]));
assets["icon.svg"] = readFileSync(join(root, "src/dashboard/web/public/icon.svg"), "utf8");

const packed = brotliCompressSync(JSON.stringify({ pages, pictures, assets }), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
});
mkdirSync(dirname(file), { recursive: true });
// Put in place whole: a server may read it meanwhile.
writeFileSync(`${file}.${process.pid}`, packed);
renameSync(`${file}.${process.pid}`, file);
