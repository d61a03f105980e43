import { expect, it } from "vitest";
import { createHostTexts } from "./host-texts.ts";

const url = (at: number) => `https://daily.example/${at}`;

it("knows texts that three pages of a host have, for its team alone", () => {
  const texts = createHostTexts();
  for (let at = 0; at < 3; at += 1) {
    expect(texts.repeatedOn("one", url(at))).toEqual(new Set());
    texts.note("one", url(at), [7, 100 + at]);
  }
  expect(texts.repeatedOn("one", url(9))).toEqual(new Set([7]));
  expect(texts.repeatedOn("two", url(9))).toEqual(new Set());
  expect(texts.repeatedOn("one", "https://other.example/")).toEqual(new Set());
});

it("counts neither a page that is read again nor a copy of one", () => {
  const texts = createHostTexts();
  for (let round = 0; round < 3; round += 1) {
    texts.note("one", url(1), [7, 8, round]);
    texts.note("one", url(100 + round), [8, 9]);
  }
  expect(texts.repeatedOn("one", url(2))).toEqual(new Set());
});

it("forgets what a tenth of the pages no longer has, and hosts that were read long ago", () => {
  const texts = createHostTexts();
  for (let at = 0; at < 3; at += 1) texts.note("one", url(at), [7, 100 + at]);
  for (let at = 3; at < 40; at += 1) texts.note("one", url(at), [8, 100 + at]);
  expect(texts.repeatedOn("one", url(99))).toEqual(new Set([8]));
  for (let at = 0; at < 300; at += 1) texts.note("one", `https://host${at}.example/`, [at]);
  expect(texts.repeatedOn("one", url(99))).toEqual(new Set());
});
