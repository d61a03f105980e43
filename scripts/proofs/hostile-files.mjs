// Every file of the tests, damaged in five ways, each read in a process as an upload is: it must be read or refused with a
// named cause, within its memory and time. A process that is lost to a fault of a native library is such a cause, and counted.
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { identifyFile } from "../../dist/documents/index.js";
import { createFileRunner } from "../../dist/pages/files/file-runner.js";
import { root } from "../vitest-report.mjs";

const folders = ["test/documents/files/", "src/documents/pdf/fixtures/"];
const maxMemoryMb = 768;
/** What a process takes before it reads anything, as the runner counts it, and what it can grow between two looks. */
const allowedMb = maxMemoryMb + 160 + 200;
const timeLimitMs = 60_000;

/** The same numbers in every run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const damages = {
  "cut off": (bytes, next) => bytes.subarray(0, 20 + next(bytes.length - 20)),
  "bits flipped": (bytes, next) => changed(bytes, next, 20 + bytes.length / 2000, (byte) => byte ^ (1 << next(8))),
  "a block of zeros": (bytes, next) => {
    const from = next(bytes.length);
    return Buffer.from(bytes).fill(0, from, Math.min(bytes.length, from + Math.ceil(bytes.length / 20)));
  },
  "numbers made large": (bytes, next) => changed(bytes, next, 8, () => 0xff),
  "the head of another file": (bytes, next, others) => {
    const other = others[next(others.length)].bytes;
    return Buffer.concat([other.subarray(0, 64), bytes.subarray(64)]);
  },
};

function changed(bytes, next, count, change) {
  const copy = Buffer.from(bytes);
  for (let done = 0; done < count; done += 1) {
    const at = next(copy.length);
    copy[at] = change(copy[at]);
  }
  return copy;
}

/** Words are kinds of files, by extension; without any, all. */
export async function prove(words) {
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`)
      .filter((name) => !/\.(?:py|html)$/.test(name))
      .map((name) => ({ name, bytes: readFileSync(`${root}/${folder}${name}`) })),
  );
  const runner = createFileRunner({ processes: 1, maxMemoryMb });
  const rows = new Map();
  try {
    for (const file of files) {
      const kind = extname(file.name).slice(1);
      if (words.length > 0 && !words.includes(kind)) continue;
      const row = rows.get(kind) ?? {
        subject: kind,
        passed: 0,
        failed: 0,
        withText: 0,
        lost: 0,
        peakMb: 0,
        details: [],
      };
      rows.set(kind, row);
      const next = numbers(file.bytes.length);
      for (const [damage, apply] of Object.entries(damages))
        await readOne(runner, row, file.name, damage, apply(file.bytes, next, files));
    }
  } finally {
    await runner.close();
  }
  return [...rows.values()].map((row) => ({ ...row, holds: row.failed === 0 }));
}

async function readOne(runner, row, name, damage, bytes) {
  const kind = identifyFile(bytes, { name, contentType: "" })?.kind;
  const options = { mode: "auto" };
  const task = { kind: kind ?? "txt", bytes, options, timeLimitMs, recognition: { languages: ["eng"] } };
  const watch = setInterval(() => (row.peakMb = Math.max(row.peakMb, ...runner.pids().map(peakMb))), 50);
  try {
    const outcome = await runner.read(task, { teamId: "proof", signal: AbortSignal.timeout(2 * timeLimitMs) });
    row.peakMb = Math.max(row.peakMb, ...runner.pids().map(peakMb));
    if (outcome.message?.includes("was lost")) {
      row.lost += 1;
      row.details.push(`${name}, ${damage}: ${outcome.message}`);
    }
    if (row.peakMb > allowedMb) throw new Error(`${row.peakMb} MB`);
    row.passed += 1;
    if (/>[^<]*[\p{L}\p{N}]/u.test(outcome.html ?? "")) row.withText += 1;
  } catch (error) {
    row.failed += 1;
    row.details.push(`${name}, ${damage}: ${error.message}`);
  } finally {
    clearInterval(watch);
  }
}

function peakMb(pid) {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
  } catch {
    return 0;
  }
}
