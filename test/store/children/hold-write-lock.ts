// Runs in its own process: holds SQLite's write lock until SIGUSR2, and tells when it has it and when it gave it back.
import { once } from "node:events";
import { openSqlite } from "../../../src/store/engine/sqlite.ts";

const { dataDir } = JSON.parse(process.env.CHILD_INPUT ?? "") as { dataDir: string };
const engine = await openSqlite(dataDir);
engine.database.execute("begin immediate");
const told = once(process, "SIGUSR2");
const alive = setInterval(() => undefined, 60_000);
process.stdout.write("held\n");
await told;
clearInterval(alive);
engine.database.execute("commit");
process.stdout.write("released\n");
await engine.close();
