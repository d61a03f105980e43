import { describe, expect, it } from "vitest";
import { isSecretName, maskBody, maskJson, maskUrl } from "./mask-names.ts";

it.each([
  ["token", true],
  ["accessToken", true],
  ["X-API-KEY", true],
  ["client_secret", true],
  ["PHPSESSID", false],
  ["session_id", true],
  ["sig", true],
  ["design", false],
  ["tokens", false],
  ["passwords", false],
])("a name that is or ends in a secret's name: %s is %s", (name, expected) => {
  expect(isSecretName(name)).toBe(expected);
});

describe("masks", () => {
  it.each([
    ['{"token":"a","b":1}', '{"token":"[masked]","b":1}'],
    ['{"a":{"b":[{"Api_Key" : 12 , "c":"x"}]}}', '{"a":{"b":[{"Api_Key" : "[masked]" , "c":"x"}]}}'],
    ['{"session":{"id":[1,"]}"],"x":{}},"y":true}', '{"session":"[masked]","y":true}'],
    ['{"password":null}', '{"password":"[masked]"}'],
    ['{"otp":123456}', '{"otp":"[masked]"}'],
    ['{"a":"say \\"token\\": x","token":"q\\"r"}', '{"a":"say \\"token\\": x","token":"[masked]"}'],
    ['{"\\u0074oken":"x"}', '{"\\u0074oken":"[masked]"}'],
    ['["token", "kept"]', '["token", "kept"]'],
    ['{"token":"cut off', '{"token":"[masked]"'],
    ['{"token":"x"}\n{"token":"y","n":1}', '{"token":"[masked]"}\n{"token":"[masked]","n":1}'],
    ['{"design":"kept"}', '{"design":"kept"}'],
  ])("JSON: %s", (text, expected) => {
    expect(maskJson(text)).toBe(expected);
  });

  it.each([
    ["https://u:p@a.example/x?Token=1&q=2", "https://a.example/x?Token=[masked]&q=2"],
    ["https://a.example/x?user%5Bpassword%5D=1", "https://a.example/x?user%5Bpassword%5D=[masked]"],
    ["https://a.example/x?q=token", "https://a.example/x?q=token"],
    ["https://a.example/token=1", "https://a.example/token=1"],
  ])("URLs: %s", (text, expected) => {
    expect(maskUrl(text)).toBe(expected);
  });

  it("bodies of requests: forms, parts of forms, JSON", () => {
    expect(maskBody("user=a&pass_word=b&x=c")).toBe("user=a&pass_word=[masked]&x=c");
    expect(maskBody('{"otp":"1"}')).toBe('{"otp":"[masked]"}');
    const parts = '--b\r\nContent-Disposition: form-data; name="secret"\r\n\r\nhush\r\n--b--\r\n';
    expect(maskBody(parts)).not.toContain("hush");
  });

  it("in time that grows with the text", () => {
    const long = `{"token":${"[".repeat(400_000)}`;
    expect(maskJson(long)).toBe('{"token":"[masked]"');
    expect(maskJson(`{"a":"${"\\\\".repeat(400_000)}`).length).toBeGreaterThan(400_000);
  });
});
