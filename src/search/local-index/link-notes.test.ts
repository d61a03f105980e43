import { expect, it } from "vitest";
import { createLinkNotes, type NotedPage } from "./link-notes.ts";

const page = (name: string, ...links: string[]): NotedPage => ({
  teamId: "one",
  url: `https://a.test/${name}`,
  links: links.map((url) => ({ url: `https://a.test/${url}`, text: "Menu" })),
});

it("finds a link that several pages of a site share once, and again only where it could not be written", () => {
  const notes = createLinkNotes();
  const take = (...names: [string, ...string[]]) => notes.takeNew(page(...names), 1).map(({ url }) => url);
  expect(take("first", "menu", "first", "second")).toEqual(["https://a.test/menu", "https://a.test/second"]);
  const lost = notes.takeNew(page("second", "menu#top", "third"), 1);
  expect(lost.map(({ url }) => url)).toEqual(["https://a.test/third"]);
  expect(take("fourth", "menu", "third", "fifth")).toEqual(["https://a.test/fifth"]);
  notes.forget(lost);
  expect(take("sixth", "menu", "third")).toEqual(["https://a.test/third"]);
});
