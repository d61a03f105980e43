// Where data is stored.
import { flag, oneOf, optional, optionalUrl, postgresUrl, secretText, setting, text, wholeNumber } from "./setting.ts";

const blobPlaces = ["database", "disk", "s3"] as const;
const blobPlace = {
  ...oneOf(blobPlaces),
  read: (value: string): (typeof blobPlaces)[number] | null | undefined => oneOf(blobPlaces).read(value),
};

export const storageSettings = {
  dataDir: setting(
    "DATA_DIR",
    text,
    "./data",
    "Directory of the embedded database and the server's secret. It is created with mode 0700.",
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    postgresUrl,
    null,
    "PostgreSQL database to use instead of the embedded one. Set it to run several servers on one store.",
  ),
  databaseDirectUrl: setting(
    "DATABASE_DIRECT_URL",
    postgresUrl,
    null,
    "URL of the same database without a connection pooler, for LISTEN. Set it if DATABASE_URL leads through a pooler: " +
      "servers then learn of new work at once instead of by polling.",
    "DATABASE_URL",
  ),
  blobs: setting(
    "BLOBS",
    blobPlace,
    null,
    "Where page bodies, documents and pictures of 4 kB and more are stored: in the `database`, as files on `disk`, or in an " +
      "`s3` store. What was stored before a change stays readable.",
    "`s3` with S3_ENDPOINT, else `database`",
  ),
  blobsDir: optional(
    "BLOBS_DIR",
    "Directory of BLOBS=disk. Servers that share a database must all see it.",
    "`blobs` in DATA_DIR",
  ),
  s3Endpoint: optionalUrl(
    "S3_ENDPOINT",
    "URL of an S3-compatible store without the bucket: AWS, MinIO, Ceph, Garage, R2 and others. Requests name the bucket in " +
      "the path.",
  ),
  s3Bucket: optional("S3_BUCKET", "Name of the bucket, which must exist. Use one bucket per installation."),
  s3Region: setting("S3_REGION", text, "us-east-1", "Region that requests are signed for."),
  s3AccessKeyId: optional(
    "S3_ACCESS_KEY_ID",
    "ID of an access key that may read, write, delete and list in the bucket.",
  ),
  s3SecretAccessKey: optional("S3_SECRET_ACCESS_KEY", "Its secret."),
  s3TimeoutMs: setting(
    "S3_TIMEOUT_MS",
    wholeNumber(100, 300_000),
    10_000,
    "Timeout of one request to the S3 store in milliseconds, in addition to 2 ms for each kB.",
  ),
  archive: setting(
    "ARCHIVE",
    flag,
    true,
    "0 turns off keeping and importing web archives; those that are there stay readable.",
  ),
  archiveMegabytes: setting(
    "ARCHIVE_MB",
    wholeNumber(0, 1_000_000_000),
    10_240,
    "Space for the web archives of each team, in MB; 0 means no limit. None is removed to make room.",
  ),
  archiveDays: setting(
    "ARCHIVE_DAYS",
    wholeNumber(0, 36_500),
    30,
    "Days that a web archive is kept after its job's end or its import; 0 means until it is deleted.",
  ),
  archiveImportMegabytes: setting(
    "ARCHIVE_IMPORT_MB",
    wholeNumber(1, 1_000_000),
    1024,
    "Largest file that may be imported as a web archive, in MB.",
  ),
  archiveUnpackedMegabytes: setting(
    "ARCHIVE_UNPACKED_MB",
    wholeNumber(1, 10_000_000),
    8192,
    "What an imported web archive may unpack to, in MB.",
  ),
  backupTo: optional(
    "BACKUP_TO",
    "Where the server saves its embedded database by itself: a folder, or `s3://BUCKET/PREFIX` with the settings of S3_ENDPOINT " +
      "(and BLOBS=database, unless blobs belong there, too).",
  ),
  backupSchedule: setting(
    "BACKUP_SCHEDULE",
    text,
    "daily",
    "When: cron with five fields, or words such as `every 6 hours` or `daily at 3am`, in UTC.",
  ),
  backupKeep: setting("BACKUP_KEEP", wholeNumber(1, 1000), 7, "Backups to keep in BACKUP_TO; older ones are deleted."),
  secret: setting(
    "TRAWL_SECRET",
    secretText,
    null,
    "Secret that encrypts sensitive data of stored jobs, such as request headers. Required with DATABASE_URL; must be the " +
      "same on every server.",
    "generated in DATA_DIR at the first start",
  ),
};

export interface S3Setting {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  timeoutMs: number;
}

interface S3Values {
  blobs: (typeof blobPlaces)[number] | null;
  s3Endpoint: string | null;
  s3Bucket: string | null;
  s3Region: string | null;
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  s3TimeoutMs: number;
}

/** Null without an endpoint; a string says what is wrong. */
export function chooseS3(values: S3Values): S3Setting | null | string {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region, s3AccessKeyId, s3SecretAccessKey } = values;
  if (endpoint === null) return values.blobs === "s3" ? "BLOBS=s3 needs S3_ENDPOINT, the URL of the store." : null;
  if (bucket === null || s3AccessKeyId === null || s3SecretAccessKey === null)
    return "S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.";
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return "S3_BUCKET must be the name of a bucket: 3 to 63 characters from a-z, 0-9, dot and hyphen.";
  return {
    endpoint,
    bucket,
    region: s3Region ?? "us-east-1",
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    timeoutMs: values.s3TimeoutMs,
  };
}
