// The files of the page, as the build left them: packed once, streamed from disk, and unpacked
// for a client that takes no gzip; nothing is kept in memory.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { compiledFile } from "../../base/index.ts";

/** Nothing comes from elsewhere, nothing runs that is not a file of ours, and no other page may frame this one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export function createDashboardFiles() {
  const folder = compiledFile(import.meta.url, "../web/");

  async function isFile(name: string): Promise<boolean> {
    return stat(new URL(`${name}.gz`, folder)).then(
      (found) => found.isFile(),
      () => false,
    );
  }

  return {
    /** Paths that are no file are places inside the page. Null when there is nothing to show. */
    async open(path: string, acceptEncoding: string) {
      const isAsset = path.startsWith("assets/");
      const name = isAsset || path === "icon.svg" ? path : "index.html";
      if (path.startsWith("api/") || !/^[\w.-]+(?:\/[\w-][\w.-]*)?$/.test(name) || !(await isFile(name))) return null;
      const takesGzip = /\bgzip\b/.test(acceptEncoding);
      const packed = createReadStream(fileURLToPath(new URL(`${name}.gz`, folder)));
      return {
        headers: {
          "content-type": types[extname(name)] ?? "application/octet-stream",
          "content-security-policy": policy,
          // The names of assets hold a hash of what is in them.
          "cache-control": isAsset ? "public, max-age=31536000, immutable" : "no-store",
          vary: "accept-encoding",
          ...(takesGzip ? { "content-encoding": "gzip" } : {}),
        },
        // A file that breaks off ends the response with its error, which the server logs.
        body: takesGzip ? packed : pipeline(packed, createGunzip(), () => undefined),
      };
    },
  };
}
