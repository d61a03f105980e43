import { describe, expect, it } from "vitest";
import { type CodeKey, codeOf, readCodeKey } from "./one-time-codes.ts";

const seeds = {
  SHA1: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  SHA256: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA====",
  SHA512: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA=",
};

describe("one-time codes", () => {
  it.each([
    [59, "94287082", "46119246", "90693936"],
    [1111111109, "07081804", "68084774", "25091201"],
    [1111111111, "14050471", "67062674", "99943326"],
    [1234567890, "89005924", "91819424", "93441116"],
    [2000000000, "69279037", "90698825", "38618901"],
    [20000000000, "65353130", "77737706", "47863826"],
  ])("are those of RFC 6238 at second %i", (seconds, ...expected) => {
    const codes = Object.entries(seeds).map(([algorithm, seed]) => {
      const key = readCodeKey(`otpauth://totp/Shop:me?secret=${seed}&algorithm=${algorithm}&digits=8`) as CodeKey;
      return codeOf(key, Math.floor(seconds / 30));
    });
    expect(codes).toEqual(expected);
  });

  it("have six digits of SHA1 for 30 seconds unless their URI says otherwise; spaces and case are free", () => {
    const key = readCodeKey(" gezd gnbv gy3t qojq gezd gnbv gy3t qojq ");
    expect(key).toMatchObject({ algorithm: "SHA1", digits: 6, periodMs: 30_000 });
    expect(codeOf(key as CodeKey, 1)).toBe("287082");
    const uri = "otpauth://totp/x?secret=GEZDGNBV&issuer=Shop&algorithm=sha512&digits=7&period=60";
    expect(readCodeKey(uri)).toMatchObject({ algorithm: "SHA512", digits: 7, periodMs: 60_000 });
  });

  it.each([
    "",
    "not base32!",
    "ABC1",
    "A",
    "ABC",
    "otpauth://hotp/x?secret=GEZDGNBV&counter=1",
    "otpauth://totp/x",
    "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5",
    "otpauth://totp/x?secret=GEZDGNBV&digits=5",
    "otpauth://totp/x?secret=GEZDGNBV&digits=9",
    "otpauth://totp/x?secret=GEZDGNBV&period=4",
    "otpauth://totp/x?secret=GEZDGNBV&period=121",
    "https://example.com/?secret=GEZDGNBV",
  ])("have no key in %j", (text) => {
    expect(readCodeKey(text)).toBeNull();
  });
});
