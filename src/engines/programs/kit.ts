// All that a program's process may read, in a folder that every user can enter: our few files, playwright-core, the launcher.
// Made with the first program, gone with the server.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledFile } from "../../base/index.ts";
import { programsPrefix, shareFile } from "../browser/launch-folder.ts";
import { sandboxScript } from "./sandbox-files.ts";

export interface Kit {
  path: string;
  launcher: string;
  /** The first file of a program's process, from the kit's folder. */
  main: string;
  /** A folder for one program: the root that it gets, and its way to the session. */
  createPlace(): ProgramPlace;
  remove(): void;
}

export interface ProgramPlace {
  root: string;
  socket: string;
  /** Lets the user that programs run as use what was made here. */
  share(file: string): void;
  remove(): void;
}

const compiled = fileURLToPath(compiledFile(import.meta.url, ".."));
/** What the verbs and actions of scrapes are done with. */
const browserFiles = [
  "isolated-world",
  "mark-hidden",
  "page-scripts",
  "perform-actions",
  "read-html",
  "read-tree",
  "take-screenshot",
  "tree-access",
  "visit-failure",
  "wait-until-settled",
  "windows",
];

export function createKit(): Kit {
  const base = realpathSync(mkdtempSync(join(tmpdir(), programsPrefix)));
  writeFileSync(join(base, "pid"), String(process.pid));
  const path = join(base, "kit");
  const programFiles = readdirSync(join(compiled, "programs/inside")).filter((file) => file.endsWith(".js"));
  const files = [
    ...programFiles.map((file) => `programs/inside/${file}`),
    ...browserFiles.map((file) => `browser/${file}.js`),
  ];
  for (const file of files) cpSync(join(compiled, file), join(path, "engines", file));
  copyPlaywright(join(path, "node_modules/playwright-core"));
  writeFileSync(join(path, "package.json"), '{"type":"module"}');
  writeFileSync(join(base, "launch.sh"), sandboxScript, { mode: 0o755 });
  chmodSync(base, 0o755);
  return {
    path,
    launcher: join(base, "launch.sh"),
    main: "engines/programs/inside/program-main.js",
    createPlace: () => createPlace(base),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function createPlace(base: string): ProgramPlace {
  const folder = mkdtempSync(join(base, "program-"));
  const root = join(folder, "root");
  mkdirSync(root);
  shareFile(root);
  shareFile(folder);
  return {
    root,
    socket: join(folder, "devtools.sock"),
    share: shareFile,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Without the pages and tools that only developers open. */
function copyPlaywright(target: string): void {
  const source = dirname(createRequire(import.meta.url).resolve("playwright-core/package.json"));
  const leftOut = ["bin", "types", "lib/vite", "lib/tools", "lib/entry"].map((each) => join(source, each));
  cpSync(source, target, { recursive: true, filter: (file) => !leftOut.includes(file) });
}
