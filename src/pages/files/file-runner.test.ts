import { afterAll, describe, expect, it } from "vitest";
import type { FileKind } from "../../documents/index.ts";
import { createFileRunner } from "./file-runner.ts";

const runner = createFileRunner({ processes: 1, maxMemoryMb: 64 });
afterAll(() => runner.close());

const task = (kind: FileKind, bytes: Uint8Array) => ({
  kind,
  bytes,
  options: { mode: "fast" as const },
  timeLimitMs: 60_000,
  recognition: { languages: ["eng"] },
});
const small = task("csv", Buffer.from("a,b\n1,2\n"));
const large = task("md", Buffer.from("- a boat\n".repeat(300_000)));
const run = () => ({ teamId: "team", signal: AbortSignal.timeout(60_000) });

describe("the processes that read files", () => {
  it("are used again after a file that was read", async () => {
    expect(await runner.read(small, run())).toMatchObject({ warnings: [] });
    const [pid] = runner.pids();
    await runner.read(small, run());
    expect(runner.pids()).toEqual([pid]);
    // A fault that the reader has named is no fault of the process.
    expect(await runner.read(task("docx", Buffer.from("PK")), run())).toMatchObject({ fault: "broken" });
    expect(runner.pids()).toEqual([pid]);
  });

  it("end when a file takes too much memory, and the next file is read", async () => {
    const [before] = runner.pids();
    expect(await runner.read(large, run())).toMatchObject({
      fault: "limit",
      message: "Reading the file takes more than 64 MB of memory",
    });
    expect(await runner.read(small, run())).toMatchObject({ warnings: [] });
    expect(runner.pids()).not.toContain(before);
  });

  it("end with the request, and the next file is read", async () => {
    const caller = new AbortController();
    const work = runner.read(large, { teamId: "team", signal: caller.signal });
    await expect.poll(() => runner.pids().length).toBe(1);
    const [pid] = runner.pids();
    caller.abort(new Error("gone"));
    await expect(work).rejects.toThrow("gone");
    expect(await runner.read(small, run())).toMatchObject({ warnings: [] });
    expect(runner.pids()).not.toContain(pid);
  });
});
