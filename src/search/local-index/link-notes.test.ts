import { expect, it } from "vitest";
import { createLinkNotes, type NewLink } from "./link-notes.ts";

it("finds a link that several pages of a site share once, and not again after it is written", () => {
  const notes = createLinkNotes();
  const page = (name: string, ...links: string[]) => ({
    teamId: "one",
    url: `https://a.test/${name}`,
    links: links.map((url) => ({ url: `https://a.test/${url}`, text: "Menu" })),
    seenAt: 1,
  });
  const found = new Map<number, NewLink>();
  notes.findNew(page("first", "menu", "first", "second"), found);
  notes.findNew(page("second", "menu#top", "third"), found);
  const urls = [...found.values()].map(({ url }) => url);
  expect(urls).toEqual(["https://a.test/menu", "https://a.test/second", "https://a.test/third"]);
  notes.remember([...found.values()]);
  const later = new Map<number, NewLink>();
  notes.findNew(page("fourth", "menu", "fifth"), later);
  expect([...later.values()].map(({ url }) => url)).toEqual(["https://a.test/fifth"]);
});
