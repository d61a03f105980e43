// A site of many pages about many subjects, few of which are about one. Each page leads to others of its own subject and to some of
// all, as sites do.
import { page } from "./jobs.ts";

const subjects = [
  "sourdough-bread",
  ..."astronomy,bicycles,castles,dentistry,economics,falcons,gardening,history,insurance,jewellery".split(","),
  ..."kayaking,linguistics,medicine,navigation,opera,pottery,quilting,railways,sailing".split(","),
];
const titles = ["How to begin", "Tools", "Mistakes", "A short history", "Questions", "Masters of the trade", "Advice"];
const perPage = 12;

/** 0 is the start; page n is about subject n modulo their number. */
const pathOf = (number: number) =>
  number === 0
    ? "/"
    : `/${subjects[number % subjects.length]}/${titles[number % titles.length]?.toLowerCase().replaceAll(" ", "-")}-${number}`;

const isRelevant = (number: number) => number > 0 && number % subjects.length === 0;

/** Pages by path. */
export function openLibrary(count: number): Record<string, string> {
  const pages: Record<string, string> = {};
  for (let number = 0; number < count; number += 1) {
    // Leads on, so that every page is reached, and to a few of its own subject.
    const next = Array.from({ length: perPage }, (_, index) => number * perPage + index + 1);
    const own = [1, 2, 3].map((step) => number + step * subjects.length);
    const links = [...next, ...own].filter((linked) => linked < count).map(pathOf);
    const subject = number === 0 ? "Library" : (subjects[number % subjects.length] ?? "").replaceAll("-", " ");
    pages[pathOf(number)] = page(`${subject}: ${titles[number % titles.length]} ${number}`, links);
  }
  return pages;
}

export function countRelevant(paths: readonly string[]): number {
  return paths.filter((path) => isRelevant(Number(/-(\d+)$/.exec(path)?.[1] ?? 0))).length;
}
