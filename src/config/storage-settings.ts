// Where data is stored.
import { postgresUrl, secretText, setting, text } from "../base/index.ts";

export const storageSettings = {
  dataDir: setting(
    "DATA_DIR",
    text,
    "./data",
    "Directory of the embedded database and the server's secret (mode 0700).",
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    postgresUrl,
    null,
    "PostgreSQL database to use instead of the embedded one. Several servers may share it.",
  ),
  databaseDirectUrl: setting(
    "DATABASE_DIRECT_URL",
    postgresUrl,
    null,
    "The same database without a connection pooler between, for LISTEN. Without it servers hear of new work when they look for it.",
    "DATABASE_URL",
  ),
  secret: setting(
    "TRAWL_SECRET",
    secretText,
    null,
    "Encrypts sensitive data of stored jobs, such as request headers. Required with DATABASE_URL, and must be the same on every server.",
    "generated in DATA_DIR at the first start",
  ),
};
