// Bundles the command: Node would spend most of its start on finding and opening a thousand small files.
// What is loaded late stays a file of its own. Threads, programs in sandboxes and embedders use the files as compiled.
import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { build } from "esbuild";

/** Packages with files of their own beside their code: binaries, workers, programs. */
const external = ["libsql", "pg", "piscina", "playwright-core", "undici"];
const chunks = "chunks";

/** `folder` holds what the compiler wrote; its cli.js is replaced. */
export async function bundle(folder) {
  const root = resolve(folder);
  /** A file finds its neighbours by `import.meta.url`, which must go on naming the compiled file: seen from the chunks. */
  const keepPlaces = {
    name: "keep-places",
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(root + sep)) return undefined;
        const place = JSON.stringify(`../${relative(root, path).split(sep).join("/")}`);
        const code = readFileSync(path, "utf8");
        return {
          contents: code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`),
          loader: "js",
        };
      });
    },
  };
  await build({
    entryPoints: [join(root, "cli.js")],
    outdir: root,
    allowOverwrite: true,
    chunkNames: `${chunks}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external,
    plugins: [keepPlaces],
    legalComments: "linked",
    // Older packages inside call `require`.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "warning",
  });
}

if (process.argv[1] === import.meta.filename) await bundle(process.argv[2] ?? "dist");
