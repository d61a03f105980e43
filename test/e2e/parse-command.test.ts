// `trawl parse`: files to markdown, on standard output or in a folder.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import { runCli } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = join(import.meta.dirname, "../documents/files");
const file = (name: string) => join(folder, name);

it("prints one file, and ends by itself", async () => {
  const env = { DATA_DIR: join(temporaryFolder(), "data") };
  const { code, stdout, stderr } = await runCli(["parse", file("boats.csv")], env);
  expect([code, stdout, stderr]).toEqual([
    0,
    "| Boat | Tonnes |\n| --- | --- |\n| Aurora; the old one | 412 |\n| Borealis | 792 |\n",
    "",
  ]);
});

it("writes each of several files and their pictures into a folder, names those that cannot be read, and exits with 3", async () => {
  const work = temporaryFolder();
  const env = { DATA_DIR: join(work, "data") };
  writeFileSync(join(work, "empty.docx"), "");
  const out = join(work, "out");
  const args = ["parse", file("boat.docx"), join(work, "empty.docx"), file("mail.eml"), "-o", out];
  const { code, stdout, stderr } = await runCommand(args, env);
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("empty.docx: ");
  expect(readdirSync(out).sort()).toEqual(["boat.docx-1.png", "boat.docx.md", "mail.eml.md"]);
  expect(readFileSync(join(out, "boat.docx.md"), "utf8")).toContain("![The Aurora at the pier](boat.docx-1.png)");
  expect(readFileSync(join(out, "boat.docx-1.png")).equals(readFileSync(file("title.png")))).toBe(true);
  const whole = await runCommand(["parse", file("mail.eml"), "--json"], env);
  expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, data: { metadata: { sourceURL: "mail.eml" } } });
  expect(await runCommand(["parse"], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("needs at least one"),
  });
  const none = await runCommand(["parse", join(work, "none.pdf")], env);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("Cannot read the file") });
});
