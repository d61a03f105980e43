// Checks AWS Signature Version 4 by its specification, written apart from the client that signs.
import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface SignedRequest {
  method: string;
  /** Path and query as they were sent. */
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** Whether the request is signed with this secret, its body included. */
export function isSigned({ method, target, headers, body }: SignedRequest, secret: string, region: string): boolean {
  const [, , day = "", signedRegion, names = "", signature] = form.exec(headers.authorization ?? "") ?? [];
  const time = String(headers["x-amz-date"]);
  const payload = String(headers["x-amz-content-sha256"]);
  const list = names.split(";");
  if (signedRegion !== region || !time.startsWith(day) || payload !== sha256(body)) return false;
  // Whoever could change one of these could change the request.
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => list.includes(name))) return false;
  const [path = "", query = ""] = target.split("?");
  const strict = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => `${strict(name)}=${strict(value)}`).sort();
  const lines = list.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, " ")}\n`);
  const request = [method, path, pairs.join("&"), lines.join(""), names, payload].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(request)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString("hex") === signature;
}
