// Where data is stored.
import { httpUrl, oneOf, postgresUrl, secretText, setting, text, wholeNumber } from "../base/index.ts";

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
    "The same database without a connection pooler between, for LISTEN. Without it, servers find new work only when they poll.",
    "DATABASE_URL",
  ),
  blobs: setting(
    "BLOBS",
    blobPlace,
    null,
    "Where page bodies, documents and pictures of 4 kB and more lie: in the `database`, as files on `disk`, or in an `s3` store. What is there already stays readable after a change.",
    "`s3` with S3_ENDPOINT, else `database`",
  ),
  blobsDir: setting(
    "BLOBS_DIR",
    text,
    null,
    "Folder of BLOBS=disk. Servers that share a database need one that they all see.",
    "`blobs` in DATA_DIR",
  ),
  s3Endpoint: setting(
    "S3_ENDPOINT",
    httpUrl,
    null,
    "URL of an S3-compatible store, without the bucket: AWS, MinIO, Ceph, Garage, R2 and others. Buckets are named in the path.",
  ),
  s3Bucket: setting("S3_BUCKET", text, null, "The bucket, which must exist. One installation, one bucket."),
  s3Region: setting("S3_REGION", text, "us-east-1", "The region that requests are signed for."),
  s3AccessKeyId: setting("S3_ACCESS_KEY_ID", text, null, "Key that may read, write, delete and list in the bucket."),
  s3SecretAccessKey: setting("S3_SECRET_ACCESS_KEY", text, null, "Its secret."),
  s3TimeoutMs: setting(
    "S3_TIMEOUT_MS",
    wholeNumber(100, 300_000),
    10_000,
    "Longest time that one request to the S3 store may take, besides 2 ms for each kB.",
  ),
  secret: setting(
    "TRAWL_SECRET",
    secretText,
    null,
    "Encrypts sensitive data of stored jobs, such as request headers. Required with DATABASE_URL, and must be the same on every server.",
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

/** Null when there is none; a string says what is wrong. */
export function chooseS3(values: S3Values): S3Setting | null | string {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3Region, s3AccessKeyId, s3SecretAccessKey } = values;
  if (endpoint === null) return values.blobs === "s3" ? "BLOBS=s3 needs S3_ENDPOINT, the URL of the store." : null;
  if (bucket === null || s3AccessKeyId === null || s3SecretAccessKey === null)
    return "S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.";
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return "S3_BUCKET must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens.";
  return {
    endpoint,
    bucket,
    region: s3Region ?? "us-east-1",
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    timeoutMs: values.s3TimeoutMs,
  };
}
