// Self-signed certificates, and those of an authority of one's own, made when a test needs them.
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

/** The authority's certificate, and one that it has signed for these names. */
export function makeSigned(names: readonly string[]): { authority: string; signed: Certificate } {
  const folder = mkdtempSync(join(tmpdir(), "trawl-cert-"));
  const file = (each: string) => join(folder, each);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    const root = ["-subj", "/CN=Company Root", "-addext", "basicConstraints=critical,CA:TRUE", "-days", "2"];
    openssl("req", "-x509", ...curve, "-keyout", file("root.key"), ...root, "-out", file("root"));
    const subject = ["-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`)}`];
    openssl("req", "-new", ...curve, "-keyout", file("key"), ...subject, "-out", file("request"));
    const signing = ["-CA", file("root"), "-CAkey", file("root.key"), "-CAcreateserial", "-copy_extensions", "copy"];
    openssl("x509", "-req", "-in", file("request"), ...signing, "-days", "2", "-out", file("cert"));
    const [authority, key, cert] = ["root", "key", "cert"].map((each) => readFileSync(file(each), "utf8"));
    return { authority: authority ?? "", signed: { key: key ?? "", cert: cert ?? "" } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
