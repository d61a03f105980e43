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

it("tells links apart by team, host, words and URL", () => {
  const notes = createLinkNotes();
  const one: NotedPage = {
    teamId: "one",
    url: "https://a.test/",
    links: [{ url: "https://b.test/é", text: "Über uns" }],
  };
  const others: NotedPage[] = [
    { ...one, teamId: "two" },
    { ...one, url: "https://c.test/" },
    { ...one, links: [{ url: "https://b.test/é", text: "Über" }] },
    { ...one, links: [{ url: "https://b.test/e", text: "Über uns" }] },
    { ...one, links: [] },
  ];
  const count = (page: NotedPage) => notes.takeNew(page, 1).length;
  expect([one, ...others].map(count)).toEqual([1, 1, 1, 1, 1, 0]);
  expect([one, ...others].map(count)).toEqual([0, 0, 0, 0, 0, 0]);
});
