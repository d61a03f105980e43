// Self-signed certificates, made when a test needs them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  key: string;
  cert: string;
}

export function makeCertificate(name: string, options: { isExpired?: boolean } = {}): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "trawl-cert-"));
  const file = (each: string) => join(folder, each);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  try {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file("key")];
    const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
    openssl("req", "-new", ...key, ...subject, "-out", file("request"));
    const days = options.isExpired === true ? "-1" : "2";
    const sign = ["-in", file("request"), "-signkey", file("key"), "-copy_extensions", "copy", "-days", days];
    openssl("x509", "-req", ...sign, "-out", file("cert"));
    return { key: readFileSync(file("key"), "utf8"), cert: readFileSync(file("cert"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
