// Runs in its own process: holds SQLite's write lock for a while and tells when it has it and when it gave it back.
import { setTimeout as wait } from "node:timers/promises";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";

const { dataDir, holdMs } = JSON.parse(process.env.CHILD_INPUT ?? "") as { dataDir: string; holdMs: number };
const engine = await openSqlite(dataDir);
engine.database.execute("begin immediate");
process.stdout.write("held\n");
await wait(holdMs);
engine.database.execute("commit");
process.stdout.write("released\n");
await engine.close();
