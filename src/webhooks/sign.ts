import { createHmac } from "node:crypto";

/** `sha256=` and the HMAC of the body in hexadecimal, as receivers of Firecrawl's webhooks check it. */
export function signBody(body: Buffer, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
