// Backups of the embedded database: made on time by the server or the command line, into a folder or a bucket, and checked.
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  describeBackups,
  openScheduledBackups,
  planBackups,
  readBackupState,
} from "../../src/app/scheduled-backups.ts";
import { type BackupReport, start } from "../../src/app.ts";
import { createLog } from "../../src/base/index.ts";
import { loadConfig } from "../../src/config.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { createTestClock } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { type S3Store, startS3Store } from "../support/s3-store.ts";
import { startCli } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dayMs = 86_400_000;
const log = createLog("silent");

/** A store with a team and a secret. */
async function openFilled(): Promise<{ dataDir: string; store: Store }> {
  const dataDir = join(temporaryFolder(), "data");
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  await store.teams.insert({ id: "team", name: "acme", createdAt: 1, requestsPerMinute: null });
  writeFileSync(join(dataDir, "secret"), "a secret of the tests, long enough");
  return { dataDir, store };
}

async function openBackups(store: Store, env: Record<string, string>, clock = createTestClock("2026-11-15T12:00:00Z")) {
  const config = loadConfig(env);
  const plan = planBackups(config, clock.now());
  if (plan === null) throw new Error("no backups are wanted");
  const backups = await openScheduledBackups({ store, clock, log }, plan, config);
  onTestFinished(() => backups.stop());
  return { backups, clock, config };
}

const check = async (backup: string, env: Record<string, string>) => {
  const answer = await runCommand(["restore", "--check", backup, "--json"], env);
  return { ...answer, report: (answer.code === 0 ? JSON.parse(answer.stdout) : null) as BackupReport | null };
};
const teamsIn = (report: BackupReport | null) => report?.tables.find(({ table }) => table === "teams")?.rows;

describe("backups on time", () => {
  it("go into a folder, the newest are kept, and the server says how the last one went", async () => {
    const { dataDir, store } = await openFilled();
    const to = join(temporaryFolder(), "backups");
    const env = { DATA_DIR: dataDir, BACKUP_TO: to, BACKUP_KEEP: "2", BACKUP_SCHEDULE: "daily at 3am" };
    const { backups, clock } = await openBackups(store, env);
    expect(describeBackups(to, backups.state())).toEqual({
      isFailing: false,
      message: `None has been made yet in ${to}.`,
    });
    // The first is made at once, the next ones on time.
    backups.start();
    await expect.poll(() => readdirSync(to)).toEqual(["trawl-2026-11-15T12-00-00Z"]);
    writeFileSync(join(to, "notes.txt"), "of somebody else");
    for (const _ of [1, 2, 3]) {
      clock.advance(dayMs);
      await backups.run();
    }
    expect(readdirSync(to).sort()).toEqual(["notes.txt", "trawl-2026-11-17T12-00-00Z", "trawl-2026-11-18T12-00-00Z"]);
    const newest = join(to, "trawl-2026-11-18T12-00-00Z");
    expect(readdirSync(newest).sort()).toEqual(["backup.json", "secret", "trawl.db"]);
    expect(statSync(join(newest, "trawl.db")).mode & 0o777).toBe(0o600);
    expect(await readBackupState(dataDir)).toMatchObject({ lastName: "trawl-2026-11-18T12-00-00Z", error: null });
    const { report } = await check(newest, {});
    expect(report).toMatchObject({ name: "trawl-2026-11-18T12-00-00Z", hasSecret: true });
    expect(teamsIn(report)).toBe(1);
  });

  it("that fail are told with their reason, keep what was there, and recover", async () => {
    const { dataDir, store } = await openFilled();
    const blocked = join(temporaryFolder(), "blocked");
    writeFileSync(blocked, "a file where the folder should be");
    const env = { DATA_DIR: dataDir, BACKUP_TO: blocked };
    const { backups, clock } = await openBackups(store, env);
    await backups.run();
    const { isFailing, message } = describeBackups(blocked, backups.state());
    expect([isFailing, message]).toEqual([
      true,
      expect.stringMatching(/^The last backup to .*blocked failed: .*; there is no earlier one\.$/),
    ]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("backup-"))).toEqual([]);
    const doctor = await runCommand(["doctor", "--json"], {
      ...env,
      CHROMIUM_PATH: "/nowhere/chromium",
      OPEN_SEARCH: "0",
    });
    const findings = JSON.parse(doctor.stdout).findings as { subject: string; state: string; message: string }[];
    expect(findings.find(({ subject }) => subject === "Backups")).toMatchObject({ state: "failed", message });

    const { backups: good } = await openBackups(store, { ...env, BACKUP_TO: join(temporaryFolder(), "good") }, clock);
    clock.advance(1000);
    await good.run();
    expect(good.state()).toMatchObject({ error: null, lastSuccessAt: clock.now() });
  });

  it("are made by a server that says so in its health and metrics, and wrong settings stop it", async () => {
    const env = {
      ...{
        DATA_DIR: join(temporaryFolder(), "data"),
        PORT: "0",
        HOST: "127.0.0.1",
        CHROMIUM_PATH: "/nowhere/chromium",
      },
      ...{ OPEN_SEARCH: "0", TRAWL_AUTH: "none", BACKUP_TO: join(temporaryFolder(), "made", "deep") },
    };
    const app = await start(loadConfig(env), { log });
    onTestFinished(() => app.stop());
    const health = async () => (await (await fetch(`${app.url}/health/readiness`)).json()).backup;
    await expect.poll(health).toEqual({ status: "ok", lastSuccessAt: expect.stringMatching(/Z$/) });
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toMatch(/trawl_backup_failing 0\n/);
    expect(metrics).toMatch(/trawl_backup_last_success_seconds \d{10}\n/);
    expect(readdirSync(env.BACKUP_TO)).toHaveLength(1);

    const wrong: [Record<string, string>, RegExp][] = [
      [{ BACKUP_SCHEDULE: "sometimes" }, /^BACKUP_SCHEDULE is no schedule\. /],
      [{ BACKUP_TO: "s3://bucket/here" }, /needs S3_ENDPOINT/],
      [{ BACKUP_TO: "ftp://host/here" }, /must be a folder or s3:\/\/BUCKET\/PREFIX/],
      [
        { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", TRAWL_SECRET: "x".repeat(32) },
        /DATABASE_URL\. .*pg_dump/,
      ],
    ];
    for (const [settings, sentence] of wrong) {
      const config = loadConfig({ ...env, ...settings });
      const open = async () => {
        const plan = planBackups(config, 0);
        return (
          plan &&
          openScheduledBackups(
            { store: { backUp: null }, clock: createTestClock("2026-11-15T12:00:00Z"), log },
            plan,
            config,
          )
        );
      };
      await expect(open()).rejects.toThrow(sentence);
    }
    expect(() => loadConfig({ ...env, BACKUP_KEEP: "0" })).toThrow(/^BACKUP_KEEP must be/);
  });
});

describe("trawl backup and trawl restore", () => {
  it("go on until they are stopped", async () => {
    const { dataDir } = await openFilled();
    const to = join(temporaryFolder(), "on-time");
    const words = ["backup", to, "--schedule", "every 6 hours", "--keep", "3"];
    // In another process: the signal is for all that this one shares.
    const running = startCli(words, { DATA_DIR: dataDir, LOG_LEVEL: "silent" });
    await expect.poll(() => existsSync(to) && readdirSync(to).length).toBe(1);
    running.kill("SIGTERM");
    const ended = await running.finished;
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("every 6 hours, the newest 3 of them")]);
    const wrong = await runCommand([...words.slice(0, 3), "sometimes"], { DATA_DIR: dataDir });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--schedule is no schedule/)]);
  });

  it("check a backup without a word to any store, and name what is damaged", async () => {
    const { dataDir } = await openFilled();
    const folder = join(temporaryFolder(), "once");
    const env = { DATA_DIR: dataDir };
    expect(await runCommand(["backup", folder], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("and the secret"),
    });
    expect(await runCommand(["backup", folder], env)).toMatchObject({ code: 2 });
    const untouched = { DATA_DIR: join(temporaryFolder(), "untouched") };
    const before = readFileSync(join(folder, "trawl.db"));
    expect(teamsIn((await check(join(folder, "trawl.db"), untouched)).report)).toBe(1);
    expect(existsSync(untouched.DATA_DIR)).toBe(false);
    expect(readFileSync(join(folder, "trawl.db")).equals(before)).toBe(true);
    const shown = await runCommand(["restore", "--check", folder], untouched);
    expect(shown.stdout).toMatch(/^once is whole, made by Trawl \S+ at \S+: \d+ bytes, with the secret\./);

    const restored = { DATA_DIR: join(temporaryFolder(), "restored") };
    expect(await runCommand(["restore", folder], restored)).toMatchObject({ code: 0 });
    expect(readdirSync(restored.DATA_DIR).sort()).toEqual(["secret", "trawl.db"]);

    truncateSync(join(folder, "trawl.db"), 8192);
    const cut = await check(folder, untouched);
    expect([cut.code, cut.stderr]).toEqual([
      1,
      expect.stringContaining("The backup is damaged: trawl.db has 8192 bytes"),
    ]);
    const changed = Buffer.from(before);
    changed.writeUInt8(255, changed.length - 1);
    changed.writeUInt8(255, changed.length - 2);
    writeFileSync(join(folder, "trawl.db"), changed);
    const wrong = await check(folder, untouched);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("does not have the checksum")]);
    expect((await check(join(folder, "nothing"), untouched)).code).toBe(2);
  });
});

describe("backups in a bucket", () => {
  let s3: S3Store;
  beforeAll(async () => {
    s3 = await startS3Store();
  });
  afterAll(() => s3.close());

  it("are made, kept, checked and restored like those in a folder", async () => {
    const { dataDir, store } = await openFilled();
    const to = `s3://${s3.env.S3_BUCKET}/own/backups`;
    const env = { ...s3.env, BLOBS: "database", DATA_DIR: dataDir, BACKUP_TO: to, BACKUP_KEEP: "1" };
    const { backups, clock } = await openBackups(store, env);
    await backups.run();
    clock.advance(dayMs);
    await backups.run();
    expect(backups.state()).toMatchObject({ error: null, lastName: "trawl-2026-11-16T12-00-00Z" });
    expect((await check(`${to}/trawl-2026-11-15T12-00-00Z`, env)).code).toBe(2);
    const { report } = await check(`${to}/trawl-2026-11-16T12-00-00Z`, env);
    expect([teamsIn(report), report?.hasSecret]).toEqual([1, true]);
    const restored = { ...env, DATA_DIR: join(temporaryFolder(), "restored") };
    expect(await runCommand(["restore", `${to}/trawl-2026-11-16T12-00-00Z`], restored)).toMatchObject({ code: 0 });
    expect(readdirSync(restored.DATA_DIR).sort()).toEqual(["secret", "trawl.db"]);

    s3.mode = "refuse";
    await backups.run();
    s3.mode = "pass";
    expect(backups.state()).toMatchObject({
      error: expect.stringContaining("The S3 store answered 503 SlowDown"),
      lastName: "trawl-2026-11-16T12-00-00Z",
    });
    expect((await check(`${to}/trawl-2026-11-16T12-00-00Z`, env)).code).toBe(0);
  });
});
