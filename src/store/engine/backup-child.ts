// Runs in a process of sqlite.ts: copies a database that is in use, as it is at one moment, into a new file.
import { LibsqlDatabase } from "./libsql-database.ts";

const [file = "", target = ""] = process.argv.slice(2);
const database = new LibsqlDatabase(file);
try {
  database.execute("pragma busy_timeout = 10000");
  database.execute("vacuum into ?", [target]);
} finally {
  database.close();
}
