import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/property-runs.ts";
import { isGlobal, parseAddress } from "./address.ts";
import { parseAllowList } from "./allow-list.ts";
import { createGuard } from "./guard.ts";

const guardWith = (allow: string, own: number[] = []) =>
  createGuard({ allowedPrivateHosts: parseAllowList(allow) ?? [], ownPorts: () => own });
const closed = guardWith("");

describe("an address as text", () => {
  it.each([
    ["http://example.com", "http://example.com/"],
    ["https://example.com./a?b#c", "https://example.com/a?b#c"],
    ["http://user:pass@example.com/", "http://user:pass@example.com/"],
    ["http://127.0.0.1@example.com/", "http://127.0.0.1@example.com/"],
    ["http://8.8.8.8/", "http://8.8.8.8/"],
    ["http://134744072/", "http://8.8.8.8/"],
    ["http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]/"],
    ["http://BÜCHER.example:8080/", "http://xn--bcher-kva.example:8080/"],
    ["http://a_b.example.com/", "http://a_b.example.com/"],
  ])("%s may be asked for", (text, href) => {
    const check = closed.checkUrl(text);
    expect("url" in check && check.url.href).toBe(href);
  });

  it.each([
    "",
    "example.com",
    "ftp://example.com/",
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "view-source:http://example.com",
    "javascript:1",
    "data:text/html,x",
    "blob:http://example.com/x",
    "gopher://example.com:70/",
    "http://",
    "http://nodot/",
    "https://*.example.com/",
    "http://a,b.example.com/",
    "http://a..b.com/",
    "http://example.com../",
    "http://exa mple.com/",
    "http://example.com:99999/",
    "http://1.2.3.4.5/",
    "http://foo.1/",
    "http://[fe80::1%25lo]/",
    "http://a\tb.com/",
    "http://example.com/\n",
    "http://example.com/\u007f",
    "http://\u0000example.com/",
    `http://${"a".repeat(64)}.com/`,
    `http://example.com/${"x".repeat(8192)}`,
  ])("%j is invalid", (text) => expect(closed.checkUrl(text)).toMatchObject({ problem: "invalid" }));

  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1./",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://0X7F.1/",
    "http://127.255.255.254/",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://user:pass@127.0.0.1/",
    "http://example.com@127.0.0.1/",
    "http://example.com%40127.0.0.1@127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http:/127.0.0.1/",
    "http:127.0.0.1",
    "http://%31%32%37.0.0.1/",
    "http://127%2e0%2e0%2e1/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://a.b.localhost/",
    "http://ｌｏｃａｌｈｏｓｔ/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://192.168.1.1:8080/",
    "http://172.31.255.255/",
    "http://100.100.100.200/",
    "http://255.255.255.255/",
    "http://224.0.0.1/",
  ])("%s is refused, whatever the spelling, and the answer names no address", (text) =>
    expect(closed.checkUrl(text)).toEqual({ problem: "refused", message: "This URL is not allowed" }),
  );

  it.each([0, 22, 25, 110, 139, 143, 389, 445, 465, 587, 636, 993, 995, 3268, 6000, 6667])(
    "port %d is refused",
    (port) =>
      expect(guardWith("10.0.0.1").checkUrl(`http://example.com:${port}/`)).toMatchObject({ problem: "refused" }),
  );

  it("never throws, and never lets a literal through that is not global", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.webUrl(),
          fc.ipV4().map((ip) => `http://${ip}/`),
        ),
        (text) => {
          const check = closed.checkUrl(text);
          if (!("url" in check)) return;
          const address = parseAddress(check.url.hostname.replace(/^\[|\]$/g, ""));
          if (address !== null) expect(isGlobal(address)).toBe(true);
          else expect(check.url.hostname).toMatch(/[^.]\.[^.]/);
        },
      ),
    );
  });

  it("all number forms of an IPv4 address are judged as that address", () => {
    const forms = [
      (value: number) => `${value}`,
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
      (value: number) => `${value >>> 24}.${value & 0xffffff}`,
      (value: number) => `0x${(value >>> 24).toString(16)}.0${((value >>> 16) & 255).toString(8)}.${value & 0xffff}`,
      (value: number) => `[::ffff:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}]`,
    ];
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(...forms), (value, form) => {
        const isPublic = isGlobal({ family: 4, value: BigInt(value) });
        expect("url" in closed.checkUrl(`http://${form(value)}/`)).toBe(isPublic);
      }),
    );
  });
});

describe("the allow list", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:3000/", true],
    ["127.0.0.1:3000", "http://127.0.0.1:3000/", true],
    ["127.0.0.1:3000", "http://127.0.0.1:3001/", false],
    ["127.0.0.1", "http://0x7f.1/", true],
    ["127.0.0.1", "http://127.0.0.2/", false],
    ["127.0.0.1", "http://localhost/", true],
    ["::1", "http://localhost/", true],
    ["localhost", "http://localhost:3000/", true],
    ["localhost", "http://a.localhost:3000/", false],
    ["localhost", "http://127.0.0.1:3000/", false],
    ["a.localhost:80", "http://a.localhost/", true],
    ["intranet", "http://intranet/", true],
    ["intranet:81", "http://intranet/", false],
    ["10.0.0.0/8", "http://intranet/", false],
    ["0.0.0.0/0", "http://127.0.0.1:25/", false],
  ])("%s: %s may be asked for: %s", (allow, url, isAllowed) =>
    expect("url" in guardWith(allow).checkUrl(url)).toBe(isAllowed),
  );

  it("allows for a name what that name resolves to, and nothing else that shares the address", () => {
    const guard = guardWith("wiki.internal:8080, 10.0.0.7");
    expect(guard.permits("10.0.0.5", 8080, "wiki.internal")).toBe(true);
    expect(guard.permits("10.0.0.5", 8081, "wiki.internal")).toBe(false);
    expect(guard.permits("10.0.0.5", 8080, "evil.example")).toBe(false);
    expect(guard.permits("10.0.0.5", 8080, "10.0.0.5")).toBe(false);
    expect(guard.permits("10.0.0.7", 1, "evil.example")).toBe(true);
    expect(guard.permits("fe80::1%eth0", 8080, "wiki.internal")).toBe(false);
  });

  it("never opens our own ports", () => {
    const guard = guardWith("localhost, 0.0.0.0/0, ::/0", [3002, 5432]);
    for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "10.0.0.1", "[::ffff:127.0.0.1]", "127.9.9.9"]) {
      expect([host, guard.checkUrl(`http://${host}:3002/`)]).toMatchObject([host, { problem: "refused" }]);
      expect([host, "url" in guard.checkUrl(`http://${host}:3003/`)]).toEqual([host, true]);
    }
    expect("url" in guard.checkUrl("http://example.com:3002/")).toBe(true);
    expect(guard.permits("127.0.0.1", 5432, "localhost")).toBe(false);
    expect(guard.permits("8.8.8.8", 5432, "dns.example")).toBe(true);
  });
});
