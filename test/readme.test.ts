// What the README shows is run as it stands there, with only the address and the key replaced.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startServer, temporaryFolder } from "./support/server-process.ts";

const run = promisify(execFile);
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const blocks = Array.from(readme.matchAll(/```(\w+)\n([\s\S]*?)```/g), ([, language, text]) => ({
  language,
  text: text ?? "",
}));

describe("the README", () => {
  it("is under 200 lines and starts with the command", () => {
    expect(readme.split("\n").length).toBeLessThan(200);
    expect(blocks[0]).toEqual({ language: "sh", text: "npm start\n" });
  });

  it("shows a curl line and the answer that it really gives", async () => {
    const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data") });
    const key = /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none";
    const line =
      blocks.find(({ text }) => text.startsWith("curl"))?.text.replace("http://127.0.0.1:3002", server.url) ?? "false";
    const shown = blocks.find(({ language }) => language === "json")?.text ?? "{}";
    const { stdout } = await run("sh", ["-c", line], { env: { PATH: process.env["PATH"], TRAWL_KEY: key } });
    const withoutDates = (text: string) => text.trim().replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "DATE");
    expect(JSON.parse(withoutDates(stdout))).toEqual(JSON.parse(withoutDates(shown)));
  });

  it("shows commands and SDK calls that work", async () => {
    const DATA_DIR = join(temporaryFolder(), "data");
    const server = await startServer({ DATA_DIR });
    const key = /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none";
    const env = { PATH: process.env["PATH"], DATA_DIR, TRAWL_KEY: key };
    const commands = blocks.find(({ text }) => text.startsWith("node dist/cli.js"))?.text ?? "false";
    expect((await run("sh", ["-ec", commands], { env })).stdout).toContain("laptop");
    const program =
      blocks.find(({ language }) => language === "js")?.text.replace("http://127.0.0.1:3002", server.url) ?? "";
    const cwd = join(import.meta.dirname, "clients");
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { env, cwd });
    expect(stdout).toContain("remainingCredits: 1000000000");
  });

  it.each(Array.from(readme.matchAll(/\]\(([^)#]+)\)/g), ([, target]) => target ?? ""))(
    "links to %s, which exists",
    (target) => {
      expect(() => readFileSync(join(import.meta.dirname, "..", target))).not.toThrow(/ENOENT/);
    },
  );
});
