// What is personal goes, what only looks like it stays; by kind and country.
import { describe, expect, it } from "vitest";
import { type Redaction, redactText } from "./redact-text.ts";

const all: Redaction = {
  kinds: new Set(["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]),
  style: "tag",
  isLoose: false,
  names: [],
};

const cases: [what: string, text: string, redacted: string][] = [
  ["e-mail", "Write to greta.lind+boats@harbour.example today.", "Write to [EMAIL] today."],
  ["e-mail, international", "Post an jörg@müller.example bitte", "Post an [EMAIL] bitte"],
  ["e-mail, spelled", "greta [at] harbour [dot] example", "[EMAIL]"],
  ["e-mail in a link", "[mail](mailto:greta@harbour.example)", "[mail](mailto:[EMAIL])"],
  ["e-mail as a reference", "greta&#64;harbour.example", "[EMAIL]"],
  ["e-mail in a URL", "https://x.example/u?m=greta@harbour.example&a=1", "https://x.example/u?m=[EMAIL]&a=1"],
  ["phone, international", "Call +49 30 901820 now", "Call [PHONE] now"],
  ["phone, with 00", "Call 0044 20 7946 0958 now", "Call [PHONE] now"],
  ["phone, (0)", "+44 (0)20 7946 0958", "[PHONE]"],
  ["phone, United States", "(212) 555-0123 or 212-555-0123", "[PHONE] or [PHONE]"],
  ["phone, United Kingdom", "020 7946 0958", "[PHONE]"],
  ["phone, Germany", "030/901820", "[PHONE]"],
  ["phone, France", "01 42 68 53 00", "[PHONE]"],
  ["phone, Brazil", "(11) 91234-5678", "[PHONE]"],
  ["phone, Japan", "03-1234-5678", "[PHONE]"],
  ["phone, China", "138 0013 8000", "[PHONE]"],
  ["phone, India", "98765 43210", "[PHONE]"],
  ["phone, Australia", "0412 345 678", "[PHONE]"],
  ["phone, named", "Tel: 555 0123", "Tel: [PHONE]"],
  ["password", "password: hunter2-again", "password: [SECRET]"],
  ["card", "Visa 4111 1111 1111 1111", "Visa [FINANCIAL]"],
  ["card, without gaps", "378282246310005", "[FINANCIAL]"],
  ["IBAN, Germany", "DE89 3704 0044 0532 0130 00", "[FINANCIAL]"],
  ["IBAN, United Kingdom", "GB29NWBK60161331926819", "[FINANCIAL]"],
  ["IBAN, France", "FR14 2004 1010 0505 0001 3M02 606", "[FINANCIAL]"],
  ["id, United States", "SSN 123-45-6789", "SSN [SECRET]"],
  ["id, United Kingdom", "AB 12 34 56 C", "[SECRET]"],
  ["health number, United Kingdom", "943 476 5919", "[SECRET]"],
  ["tax id, Germany", "86095742719", "[SECRET]"],
  ["id, France", "2 55 08 14 168 025 38", "[SECRET]"],
  ["id, Spain", "12345678Z and X1234567L", "[SECRET] and [SECRET]"],
  ["id, Italy", "RSSMRA85T10A562S", "[SECRET]"],
  ["id, Poland", "44051401359", "[SECRET]"],
  ["id, Brazil", "529.982.247-25", "[SECRET]"],
  ["id, China", "11010519491231002X", "[SECRET]"],
  ["id, India", "2341 2341 2346", "[SECRET]"],
  ["id, Sweden", "811228-9874", "[SECRET]"],
  ["id, Netherlands", "BSN 111222333", "[SECRET]"],
  ["key", "sk-live-abcdefghijklmnopqrstuvwx", "[SECRET]"],
  ["token", "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[SECRET]"],
  ["IP, version 4", "from 203.0.113.7.", "from [LOCATION]."],
  ["IP, version 6", "from 2001:db8:85a3::8a2e:370:7334", "from [LOCATION]"],
  ["MAC", "00:1B:44:11:3A:B7", "[LOCATION]"],
  ["address, United States", "She lives at 221 North Baker Street, Apt 4 now", "She lives at [LOCATION] now"],
  ["address, Germany", "Wohnt in der Lindenstraße 12a seit", "Wohnt in der [LOCATION] seit"],
  ["address, France", "habite 12 bis, rue de la Paix", "habite [LOCATION]"],
  ["address, Spain", "vive en Calle Mayor 5", "vive en [LOCATION]"],
  ["address, Italy", "abita in Via Garibaldi, 10", "abita in [LOCATION]"],
  ["address, Netherlands", "woont Keizersgracht 123", "woont [LOCATION]"],
];

const nearMisses: [what: string, text: string][] = [
  ["a user's name", "@greta and @harbour/tools"],
  ["a package", "react@18.2.0 and icon@2x.png"],
  ["a date", "2026-11-17 and 17.11.2026, 17/11/2026"],
  ["a time", "12:30:45 and 10:00-12:00"],
  ["a year and a price", "In 2024 it cost 1,299.00 EUR, 12 500 000 in all"],
  ["an ISBN", "ISBN 978-3-16-148410-0"],
  ["a version", "version 1.2.3.4 and v10.0.0.1"],
  ["a card with a wrong digit", "4111 1111 1111 1112"],
  ["an IBAN with a wrong digit", "DE89 3704 0044 0532 0130 01"],
  ["a Spanish id with a wrong letter", "12345678A"],
  ["a Polish id with a wrong digit", "44051401358"],
  ["a Brazilian id with a wrong digit", "529.982.247-24"],
  ["a Chinese id with a wrong digit", "110105194912310021"],
  ["an Indian id with a wrong digit", "2341 2341 2347"],
  ["an Italian code with a wrong letter", "RSSMRA85T10A562T"],
  ["an id that was never given out", "SSN 000-12-3456"],
  ["coordinates", "52.5200, 13.4050"],
  ["a number in a URL", "https://shop.example/item/4111111111111111?ref=+49-30-901820"],
  ["a hash", "9f86d081884c7d659a2feaa0c55ad015"],
  ["an address that is none", "5 Star Hotels and 100 Ways to cook"],
  ["a street without a number", "We walked down Baker Street and the Lindenstraße"],
  ["a model number", "The X1234567A pump and the AB-12"],
  ["words about passwords", "Your password is required."],
];

describe("redaction", () => {
  it.each(cases)("takes out: %s", (_what, text, redacted) => expect(redactText(text, all)).toBe(redacted));

  it.each(nearMisses)("leaves alone: %s", (_what, text) => expect(redactText(text, all)).toBe(text));

  it("takes out the names that it is told, as whole words", () => {
    const named = { ...all, names: ["Greta Lind", "Al"] };
    expect(redactText("Greta Lind and Greta Lindgren, Al", named)).toBe("[PERSON] and Greta Lindgren, Al");
  });

  it("puts in place what is asked for, and of the kinds that are asked for", () => {
    const text = "a@b.example, 203.0.113.7";
    expect(redactText(text, { ...all, style: "mask" })).toBe("*@*.*******, ***.*.***.*");
    expect(redactText(text, { ...all, style: "remove" })).toBe(", ");
    expect(redactText(text, { ...all, kinds: new Set(["EMAIL"]) })).toBe("[EMAIL], 203.0.113.7");
  });

  it("takes out more when told to", () => {
    expect(redactText("Ask 612 345 678", all)).toBe("Ask 612 345 678");
    expect(redactText("Ask 612 345 678", { ...all, isLoose: true })).toBe("Ask [PHONE]");
  });

  it.each([
    ["digits", "1".repeat(300_000)],
    ["digits and gaps", "12 ".repeat(100_000)],
    ["letters before an @", "a.".repeat(100_000)],
    ["many @", "a@".repeat(100_000)],
    ["pairs", "ab:".repeat(100_000)],
    ["capital words", "12 Aa Bb Cc ".repeat(30_000)],
    ["beginnings of keys", "-----BEGIN PRIVATE KEY-----A".repeat(3000)],
  ])("costs little with %s", (_name, text) => {
    const startedAt = performance.now();
    redactText(text, { ...all, isLoose: true });
    expect(performance.now() - startedAt).toBeLessThan(8000);
  });
});
