import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryReader, readContainerMemory } from "./memory-pressure.ts";

function makeRoot(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "trawl-memory-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const newFiles = (folder: string, limit: string) => ({
  [`${folder}/memory.max`]: `${limit}\n`,
  [`${folder}/memory.current`]: "900\n",
  [`${folder}/memory.stat`]: "anon 500\ninactive_file 300\nactive_file 5\n",
});
const oldFiles = (folder: string, limit: string) => ({
  [`${folder}/memory.limit_in_bytes`]: `${limit}\n`,
  [`${folder}/memory.usage_in_bytes`]: "900\n",
  [`${folder}/memory.stat`]: "inactive_file 7\ntotal_inactive_file 300\n",
});
const use = { usedBytes: 600, limitBytes: 1000 };

it.each([
  ["a container (v2)", { "proc/self/cgroup": "0::/\n", ...newFiles("sys/fs/cgroup", "1000") }, use],
  [
    "a service (v2)",
    { "proc/self/cgroup": "0::/system/trawl\n", ...newFiles("sys/fs/cgroup/system/trawl", "1000") },
    use,
  ],
  ["no limit (v2)", { "proc/self/cgroup": "0::/\n", ...newFiles("sys/fs/cgroup", "max") }, null],
  [
    "a container (v1), whose path is the host's",
    { "proc/self/cgroup": "5:cpu:/docker/1\n4:memory:/docker/1\n", ...oldFiles("sys/fs/cgroup/memory", "1000") },
    use,
  ],
  [
    "no limit (v1)",
    { "proc/self/cgroup": "4:memory:/\n", ...oldFiles("sys/fs/cgroup/memory", "9223372036854771712") },
    null,
  ],
  ["no control groups", {}, null],
])("the memory of %s", (_what, files, expected) => {
  expect(readContainerMemory(makeRoot(files))).toEqual(expected);
});

it("is that of the process where the operator sets a limit", () => {
  expect(createMemoryReader(64)()).toEqual({ usedBytes: expect.any(Number), limitBytes: 64 * 1024 * 1024 });
});
