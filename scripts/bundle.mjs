// Bundles the command, the door for embedders, threads and child processes: Node would spend most of a start on finding and
// opening a thousand small files. What is loaded late stays a separate file. Programs in sandboxes and the client are used
// as compiled. The package holds these files only (`files` of package.json); benchmarks also use the others.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { build } from "esbuild";

/**
 * Packages with other files beside their code (binaries, workers, programs), and large ones that are loaded when they are
 * needed: they are installed anyway, and a second copy of them would make the package larger.
 */
const external = [
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
  "@ai-sdk/openai-compatible",
  "@duckduckgo/autoconsent",
  "@e965/xlsx",
  "@ghostery/adblocker",
  "@modelcontextprotocol/node",
  "@modelcontextprotocol/server",
  "@napi-rs/canvas",
  "gpt-tokenizer",
  "hyparquet-writer",
  "libphonenumber-js",
  "libsql",
  "marked",
  "nodemailer",
  "pdfjs-dist",
  "pg",
  "piscina",
  "playwright-core",
  "postal-mime",
  "re2js",
  "tesseract.js",
  "undici",
  "utif2",
];
/**
 * Bundled apart: files that both share would be cut into smaller ones, and those are what a start takes long for. The chunks
 * of threads lie as deep as the files, because code that finds its neighbours may end up in either; cli.js and index.js have
 * none.
 */
const bundles = [
  { chunks: "chunks", files: ["cli.js", "index.js"] },
  {
    chunks: "chunks/threads",
    files: [
      "content/threads/worker.js",
      "discovery/patterns/pattern-worker.js",
      "extraction/reading/schema-reader.js",
      "extraction/threads/extractor-worker.js",
      "pages/files/file-child.js",
      "store/engine/backup-child.js",
    ],
  },
];

/** `folder` holds what the compiler wrote; the files that something starts with are replaced. */
export async function bundle(folder) {
  const root = resolve(folder);
  writeFiles(await Promise.all(bundles.map((each) => bundleFiles(root, root, each))));
}

/** Of the sources, for tests that run them. */
async function bundleThreads(folder) {
  const { chunks, files } = bundles[1];
  const sources = { chunks, files: files.map((file) => file.replace(/\.js$/, ".ts")) };
  writeFiles([await bundleFiles(resolve("src"), resolve(folder), sources)]);
}

function writeFiles(results) {
  // Written last, because one bundle reads what another replaces.
  for (const { path, contents } of results.flatMap(({ outputFiles }) => outputFiles)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

function bundleFiles(sources, root, { chunks, files }) {
  /** A file finds its neighbours by `import.meta.url`, which must go on naming the compiled file: seen from the chunks. */
  const keepPlaces = {
    name: "keep-places",
    setup({ onLoad }) {
      onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
        if (!path.startsWith(sources + sep)) return undefined;
        const compiled = relative(sources, path).replace(/\.ts$/, ".js");
        const place = JSON.stringify(relative(chunks, compiled).split(sep).join("/"));
        return {
          contents: pastDoors(readFileSync(path, "utf8"), path).replaceAll(
            "import.meta.url",
            `new URL(${place}, import.meta.url).href`,
          ),
          loader: path.endsWith(".ts") ? "ts" : "js",
        };
      });
    },
  };
  return build({
    entryPoints: files.map((file) => join(sources, file)),
    outdir: root,
    outbase: sources,
    write: false,
    chunkNames: `${chunks}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Names stay, for the stacks of errors.
    minifySyntax: true,
    minifyWhitespace: true,
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

const fromDoor = /^import \{([^}]*)\} from "(\.[^"]*\/index\.[jt]s)";$/gm;
const passedOn = /^export \{([^}]*)\} from "([^"]+)";$/gm;

/**
 * The code of `path` with the names that it takes from a door taken from the modules behind it: a door names its whole room,
 * and the file with the first of them would otherwise hold all of it, and a start read what only a request needs.
 */
function pastDoors(code, path) {
  return code.replaceAll(fromDoor, (_line, names, address) => {
    const door = resolve(dirname(path), address);
    const modules = modulesBehind(door);
    return namesIn(names)
      .map(({ name, as }) => {
        const behind = modules.get(name);
        if (behind === undefined) return `import { ${name} as ${as} } from ${JSON.stringify(address)};`;
        const file = relative(dirname(path), behind.file).split(sep).join("/");
        return `import { ${behind.name} as ${as} } from ${JSON.stringify(file.startsWith(".") ? file : `./${file}`)};`;
      })
      .join(" ");
  });
}

const doors = new Map();

/** By name that the door gives: the file that it comes from, and its name there. */
function modulesBehind(door) {
  let modules = doors.get(door);
  if (modules === undefined) {
    modules = new Map();
    for (const [, names, address] of readFileSync(door, "utf8").matchAll(passedOn)) {
      if (!address.startsWith(".")) continue;
      const file = resolve(dirname(door), address);
      for (const { name, as } of namesIn(names)) modules.set(as, { file, name });
    }
    doors.set(door, modules);
  }
  return modules;
}

/** Types are left out: they are gone at run time. */
function namesIn(list) {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => {
      const [name, as = name] = each.split(" as ");
      return { name, as };
    });
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === "--threads") await bundleThreads("dist");
  else await bundle(process.argv[2] ?? "dist");
}
