import { describe, expect, it } from "vitest";
import { isConnectionHeader, isSecretHeader, parseRetryAfter } from "./headers.ts";

describe("headers", () => {
  it.each(["Host", "connection", "Content-Length", "TRANSFER-ENCODING", "Proxy-Authorization", "proxy-x", "Expect"])(
    "%s belongs to the connection",
    (name) => expect(isConnectionHeader(name)).toBe(true),
  );

  it.each([
    "Cookie",
    "Authorization",
    "X-Api-Key",
    "x-auth-token",
    "X-CSRF-Token",
    "x-password",
    "private-key",
    "Referer",
  ])("%s is secret", (name) => expect([isSecretHeader(name), isConnectionHeader(name)]).toEqual([true, false]));

  it.each(["Accept", "User-Agent", "Accept-Language"])("%s is neither", (name) =>
    expect([isSecretHeader(name), isConnectionHeader(name)]).toEqual([false, false]),
  );

  it.each([
    ["120", 120],
    [" 0 ", 0],
    ["Thu, 01 Jan 1970 00:01:00 GMT", 59],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["", null],
    [undefined, null],
  ])("Retry-After %j is %j seconds", (value, seconds) => expect(parseRetryAfter(value, 1000)).toBe(seconds));
});
