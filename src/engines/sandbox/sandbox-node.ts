// The Node that runs inside of sandboxes. A Node outside of the system's folders (nvm, fnm, a home folder) is copied: the
// user that sandboxes run as may not be able to reach it, and inside of a sandbox its folder is hidden.
import { execFile } from "node:child_process";
import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

export interface SandboxNode {
  /** As the system outside of sandboxes names it. */
  executable: string;
  /** The folder of the copy, with `bin/node` and `lib`; null where Node is used in its place. */
  copy: string | null;
  /** Whether `lib` of the copy holds any: the executable may look for them where they were. */
  hasLibraries: boolean;
  /** All that the executable is loaded from, itself included. */
  files: readonly string[];
  remove(): void;
}

export const sandboxNodePrefix = "trawl-node-";

const systemFolders = ["/usr/", "/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/"];
const anybodyMayRun = 0o005;
const anybodyMayEnter = 0o001;

export async function openSandboxNode(executable: string = process.execPath): Promise<SandboxNode> {
  const libraries = await librariesOf(executable);
  if (process.platform !== "linux" || (isInSystem(executable) && isOpenToAll(executable))) {
    return {
      executable,
      copy: null,
      hasLibraries: false,
      files: [executable, ...libraries],
      remove: () => undefined,
    };
  }
  const base = realpathSync(mkdtempSync(join(tmpdir(), sandboxNodePrefix)));
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  try {
    writeFileSync(join(base, "pid"), String(process.pid));
    const copy = join(base, "node");
    const own = libraries.filter((file) => !isInSystem(file));
    const copied = [
      { from: executable, to: join(copy, "bin/node") },
      ...own.map((file) => ({ from: file, to: join(copy, "lib", basename(file)) })),
    ];
    for (const folder of [copy, join(copy, "bin"), join(copy, "lib")]) mkdirSync(folder);
    for (const { from, to } of copied) copyOrLink(from, to);
    for (const folder of [base, copy, join(copy, "bin"), join(copy, "lib")]) chmodSync(folder, 0o755);
    const files = [...copied.map(({ to }) => to), ...libraries.filter(isInSystem)];
    return { executable: join(copy, "bin/node"), copy, hasLibraries: own.length > 0, files, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const known = new Map<string, Promise<string[]>>();

/** Found out once for each executable, because it takes a start of Node. */
function librariesOf(executable: string): Promise<string[]> {
  const found = known.get(executable) ?? listLibraries(executable);
  known.set(executable, found);
  found.catch(() => known.delete(executable));
  return found;
}

async function listLibraries(executable: string): Promise<string[]> {
  const program =
    "process.report.excludeNetwork = true; console.log(JSON.stringify(process.report.getReport().sharedObjects))";
  const { stdout } = await promisify(execFile)(executable, ["-e", program], { env: {} });
  const files = (JSON.parse(stdout) as string[]).filter((file) => file.startsWith("/") && !file.includes(":"));
  return files.filter((file) => file !== executable);
}

function isInSystem(file: string): boolean {
  const real = realpathSync(file);
  return systemFolders.some((folder) => real.startsWith(folder));
}

/** The file and every folder above it. */
function isOpenToAll(file: string): boolean {
  const real = realpathSync(file);
  return (statSync(real).mode & anybodyMayRun) === anybodyMayRun && canBeEntered(dirname(real));
}

function canBeEntered(folder: string): boolean {
  if ((statSync(folder).mode & anybodyMayEnter) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canBeEntered(parent);
}

/** A link takes no space; it needs the same file system, and rights that every user has. */
function copyOrLink(from: string, to: string): void {
  const real = realpathSync(from);
  if ((statSync(real).mode & anybodyMayRun) === anybodyMayRun) {
    try {
      linkSync(real, to);
      return;
    } catch {
      // Another file system, or one without links.
    }
  }
  copyFileSync(real, to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o755);
}
