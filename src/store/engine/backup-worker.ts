// Runs in a worker thread of sqlite.ts: copies a database that is in use, as it is at one moment, into a new file.
import { workerData } from "node:worker_threads";
import { LibsqlDatabase } from "./libsql-database.ts";

export interface BackUpTask {
  file: string;
  target: string;
}

const { file, target } = workerData as BackUpTask;
const database = new LibsqlDatabase(file);
try {
  database.execute("pragma busy_timeout = 10000");
  database.execute("vacuum into ?", [target]);
} finally {
  database.close();
}
