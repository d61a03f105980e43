import { expect, it } from "vitest";
import { holdsSecret } from "./secrets.ts";

const key = "AIzaSy-0123456789";

it.each([
  `key ${key} is wrong`,
  "key AIzaSy… is wrong",
  "a key that ends in 456789 is wrong",
  `{"key":"${key.slice(4, 10)}"}`,
])("a message that quotes a secret or a part of it is known: %s", (message) => {
  expect(holdsSecret(message, ["other", key])).toBe(true);
});

it("shorter parts and other words are not taken for it, and no secret is in nothing", () => {
  expect(holdsSecret("AIzaS is short, 6789 too", [key])).toBe(false);
  expect(holdsSecret("whatever", [])).toBe(false);
  expect(holdsSecret("whatever", [""])).toBe(false);
  expect(holdsSecret("the pin is abc", ["abc"])).toBe(true);
});
