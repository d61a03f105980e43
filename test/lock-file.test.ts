// The lock file installs anywhere: it names no registry, and no platform's optional package is missing from it.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

describe.each([".", "test/clients", "test/clients/large"])("the lock file of %s", (folder) => {
  const file = join(root, folder, "package-lock.json");

  it("names no registry", () => {
    expect(readFileSync(file, "utf8")).not.toMatch(/"resolved": "https?:/);
  });

  it("is complete for every platform", () => {
    const copy = temporaryFolder();
    copyFileSync(file, join(copy, "package-lock.json"));
    const said = execFileSync(process.execPath, [join(root, "scripts/complete-lock.mjs"), copy], { encoding: "utf8" });
    expect(said).toContain("0 rows added");
  });
});
