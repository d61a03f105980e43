// What is personal goes, what only looks like it stays; by kind and country.
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { phoneTestFor } from "./phone-plans.ts";
import { type Redaction, redactText } from "./redact-text.ts";

const all: Redaction = {
  kinds: new Set(["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]),
  style: "tag",
  isLoose: false,
  names: [],
  isPhone: null,
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
  [
    "phone in a URL",
    "https://wa.me/493012345678 and https://x.example/?phone=%2B4930123456&a=1",
    "https://wa.me/[PHONE] and https://x.example/?phone=[PHONE]&a=1",
  ],
  [
    "phone in a link",
    "[ring](tel:+4930901820) and [ring](tel:030901820)",
    "[ring](tel:[PHONE]) and [ring](tel:[PHONE])",
  ],
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

/** As people of the country write them, on a page in its language or of its hosts. */
const numbersByCountry: [country: string, language: string, host: string, ...numbers: string[]][] = [
  ["Argentina", "es-AR", "", "011 15-2345-6789", "011 4123-4567"],
  ["Australia", "en-AU", "", "(02) 9374 4000", "0412 345 678"],
  ["Austria", "de-AT", "", "0664 1234567", "01 58800123"],
  ["Bangladesh", "bn", "", "01812-345678"],
  ["Belgium", "nl", "zeemeeuw.be", "0470 12 34 56", "02 123 45 67"],
  ["Brazil", "pt-BR", "", "(11) 96123-4567", "(11) 2345-6789"],
  ["Bulgaria", "bg", "", "088 123 4567"],
  ["Chile", "es", "puerto.cl", "(2) 2123 4567", "(9) 6123 4567"],
  ["China", "zh-CN", "", "131 2345 6789", "010 1234 5678"],
  ["Colombia", "es-CO", "", "321 1234567"],
  ["Czechia", "cs", "", "601 123 456", "212 345 678"],
  ["Denmark", "da", "", "32 12 34 56"],
  ["Egypt", "ar", "port.eg", "0100 123 4567", "010 01234567"],
  ["Finland", "fi", "", "041 2345678"],
  ["France", "fr", "", "06 12 34 56 78", "0142685300"],
  ["Germany", "de", "", "030 123456", "01512 3456789", "089 12 34 56 78"],
  ["Greece", "el", "", "691 234 5678"],
  ["Hong Kong", "zh-HK", "", "5123 4567"],
  ["Hungary", "hu", "", "06 20 123 4567"],
  ["India", "hi", "", "081234 56789"],
  ["Indonesia", "id", "", "0812-345-678"],
  ["Ireland", "en", "harbour.ie", "085 012 3456"],
  ["Israel", "he", "", "050-234-5678"],
  ["Italy", "it", "", "312 345 6789", "06 1234 5678"],
  ["Japan", "ja", "", "090-1234-5678", "03-1234-5678"],
  ["Kenya", "en", "pier.co.ke", "0712 123456"],
  ["Malaysia", "ms", "", "012-345 6789"],
  ["Mexico", "es-MX", "", "55 1234 5678"],
  ["Netherlands", "nl", "", "06 12345678", "020 123 4567"],
  ["New Zealand", "en-NZ", "", "021 123 4567"],
  ["Nigeria", "en-NG", "", "0802 123 4567"],
  ["Norway", "nb", "", "406 12 345", "22 12 34 56"],
  ["Pakistan", "ur", "", "0301 2345678"],
  ["Philippines", "en-PH", "", "0905 123 4567"],
  ["Poland", "pl", "", "512 345 678"],
  ["Portugal", "pt-PT", "", "912 345 678"],
  ["Romania", "ro", "", "0712 034 567"],
  ["Russia", "ru", "", "8 (912) 345-67-89"],
  ["Saudi Arabia", "ar", "", "051 234 5678"],
  ["Singapore", "en-SG", "", "8123 4567"],
  ["South Africa", "en", "pier.co.za", "071 123 4567"],
  ["South Korea", "ko", "", "010-2000-0000"],
  ["Spain", "es", "", "612 34 56 78", "912 345 678"],
  ["Sweden", "sv", "", "070-123 45 67"],
  ["Switzerland", "de-CH", "", "044 668 18 00"],
  ["Taiwan", "zh-TW", "", "0912 345 678"],
  ["Thailand", "th", "", "081 234 5678"],
  ["Turkey", "tr", "", "0501 234 56 78"],
  ["Ukraine", "uk", "", "050 123 4567"],
  ["United Kingdom", "en-GB", "", "07400 123456", "0121 234 5678"],
  ["United States", "en-US", "", "201 555 0123"],
  ["Vietnam", "vi", "", "091 234 56 78"],
];

/** On pages of every country. */
const noNumbers = [
  "17.11.2026, 01.02.2024, 2026-11-17, 01/02/2024 and 01.02.-03.02.2024",
  "1998-2004 and 2019 – 2020",
  "1 250 000 EUR, 12 500 000 zł, 612 345 678 Kč, $612 345 678",
  "0.123456789 and 3.14159265",
  "ISBN 978-3-16-148410-0, ISSN 0378-5955",
  "Order no. 0301 2345678, Bestellnummer 030 1234567, SKU 0712 123456",
  "08:00-17:00, 10 000 000 and 1.000.000",
  "52.5200, 13.4050",
  "Version 10.0.19045.3803 and 4003994155486",
  "#0712034567 and item_0712034567",
];

describe("redaction", () => {
  it.each(numbersByCountry)("knows phone numbers of %s", async (_country, language, host, ...numbers) => {
    const isPhone = await phoneTestFor([language], host);
    const redacted = numbers.map((number) => redactText(`Ferry, ${number}, pier`, { ...all, isPhone }));
    expect(redacted).toEqual(numbers.map(() => "Ferry, [PHONE], pier"));
  });

  it.each(numbersByCountry)("takes no other numbers for those of %s", async (_country, language, host) => {
    const isPhone = await phoneTestFor([language], host);
    for (const text of noNumbers) expect(redactText(text, { ...all, isPhone })).toBe(text);
  });

  it("knows the country by language and host, and guesses none", async () => {
    expect(await phoneTestFor([], "harbour.example")).toBeNull();
    expect(await phoneTestFor([], "127.0.0.1")).toBeNull();
    expect(await phoneTestFor(["tlh"], "harbour.io")).toBeNull();
    expect(await phoneTestFor([], "harbour.pl")).not.toBeNull();
  });

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
    ["many different numbers", Array.from({ length: 10_000 }, (_, at) => `0${30_1000000 + at * 7919}`).join("; ")],
  ])("costs little with %s", async (_name, text) => {
    const isPhone = await phoneTestFor(["de-AT"], "harbour.ch");
    const spentMs = startCpuTimer();
    redactText(text, { ...all, isLoose: true, isPhone });
    expect(spentMs()).toBeLessThan(8000);
  });
});
