import { describe, expect, it } from "vitest";
import { parseAddress } from "./address.ts";
import { allowsAddress, allowsName, parseAllowList } from "./allow-list.ts";

const read = (text: string) => parseAllowList(text) ?? [];
const address = (text: string) => parseAddress(text) ?? { family: 4 as const, value: -1n };

describe("the allow list", () => {
  it.each([
    ["10.0.0.5", "10.0.0.5", 80, true],
    ["10.0.0.5", "10.0.0.6", 80, false],
    ["10.0.0.5:8080", "10.0.0.5", 8080, true],
    ["10.0.0.5:8080", "10.0.0.5", 80, false],
    ["10.0.0.0/8", "10.255.255.255", 1, true],
    ["10.0.0.0/8", "11.0.0.0", 1, false],
    ["10.1.2.3/8", "10.200.0.1", 1, true],
    ["10.0.0.0/8:80", "10.1.1.1", 81, false],
    ["0.0.0.0/0", "192.168.1.1", 80, true],
    ["0.0.0.0/0", "::1", 80, false],
    ["::1", "::1", 80, true],
    ["[::1]", "::1", 80, true],
    ["[::1]:3000", "::1", 3000, true],
    ["[::1]:3000", "::1", 3001, false],
    ["[fd00::/8]:80", "fd12::1", 80, true],
    ["::1:3000", "::1", 3000, false],
    ["::ffff:10.0.0.5", "10.0.0.5", 80, true],
    ["10.0.0.5", "::ffff:10.0.0.5", 80, true],
    ["a.test, 10.0.0.5 ,,", "10.0.0.5", 80, true],
    ["a.test", "10.0.0.5", 80, false],
  ])("%s: %s port %d is allowed: %s", (list, text, port, isAllowed) =>
    expect(allowsAddress(read(list), address(text), port)).toBe(isAllowed),
  );

  it.each([
    ["intranet", "intranet", 80, true],
    ["Intranet.:8080", "intranet", 8080, true],
    ["intranet:8080", "intranet", 80, false],
    ["a.test", "b.a.test", 80, false],
    ["bücher.test", "xn--bcher-kva.test", 80, true],
    ["127.0.0.1", "localhost", 80, false],
  ])("%s: the name %s port %d is allowed: %s", (list, name, port, isAllowed) =>
    expect(allowsName(read(list), name, port)).toBe(isAllowed),
  );

  it.each(["10.0.0.0/33", "10.0.0.5:0", "10.0.0.5:70000", "127.1", "1.2.3.4.5", "*.internal", "http://a.test", "a b"])(
    "%s is refused as a setting",
    (text) => expect(parseAllowList(text)).toBeUndefined(),
  );

  it.each(["a.test/8", "[a.test]:80", "::ffff:10.0.0.0/104", "-a.test", "a..test", "a.test:x", "0x7f", "fe80::1%lo"])(
    "%s is refused as a setting",
    (text) => expect(parseAllowList(`10.0.0.1,${text}`)).toBeUndefined(),
  );

  it("may be empty", () => expect(parseAllowList("")).toEqual([]));
});
