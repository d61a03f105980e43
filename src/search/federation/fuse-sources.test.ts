import { describe, expect, it } from "vitest";
import type { ProviderResult } from "../providers/search-provider.ts";
import { parseQuery } from "../query/parse-query.ts";
import { fuseSources } from "./fuse-sources.ts";
import { pageKeys, withoutTracking } from "./page-keys.ts";
import { createRelevance } from "./relevance.ts";

const rateFor = createRelevance();
const result = (url: string, title: string, description = ""): ProviderResult => ({
  url,
  title,
  description,
  published: null,
  date: "",
});

describe("relevance", () => {
  const rate = (query: string, title: string, description = "", url = "https://x.example/") =>
    Math.round(rateFor(parseQuery(query))({ title, description, url }) * 100) / 100;
  it.each([
    [["sea otters", "The otter of the seas"], 1],
    [["sea otters", "Otters", "by the sea"], 0.9],
    [["sea otters", "", "", "https://x.example/sea-otters"], 0.6],
    [["sea otters", "Casino"], 0],
    [["what is the sea", "Sea"], 1],
    [["-x", "anything"], 1],
    [["東京 天気", "東京の天気"], 1],
  ] as [[string, string, string?, string?], number][])("%j is %d", (input, expected) => {
    expect(rate(...input)).toBe(expected);
  });
});

describe("one page", () => {
  it.each([
    ["http://www.a.example/x/", "https://a.example:443/x#part"],
    ["https://m.a.example/x?b=1&a=2&utm_source=q", "https://a.example/x?a=2&b=1&gclid=z"],
    ["https://stackoverflow.com/questions/12/how-to", "https://stackoverflow.com/q/12/99"],
    ["https://arxiv.org/abs/2401.00001v3", "http://arxiv.org/pdf/2401.00001v1.pdf"],
    ["https://doi.org/10.1000/ABC.1", "https://press.example/doi/10.1000/abc.1"],
    ["https://pubmed.ncbi.nlm.nih.gov/77/", "https://pubmed.ncbi.nlm.nih.gov/77/?from=x"],
  ])("%s is %s", (one, other) => {
    const keys = new Set(pageKeys(one, []));
    expect(pageKeys(other, []).some((key) => keys.has(key))).toBe(true);
  });

  it.each([
    ["https://a.example/x", "https://a.example/y"],
    ["https://a.example/x?id=1", "https://a.example/x?id=2"],
    ["https://a.example:8080/x", "https://a.example/x"],
    ["https://b.a.example/x", "https://a.example/x"],
  ])("%s is not %s", (one, other) => {
    const keys = new Set(pageKeys(one, []));
    expect(pageKeys(other, []).some((key) => keys.has(key))).toBe(false);
  });

  it("is shown without what tells where a reader came from", () => {
    expect(withoutTracking("https://a.example/?utm_medium=x&id=1&fbclid=2")).toBe("https://a.example/?id=1");
    expect(withoutTracking("https://a.example/?reference=1")).toBe("https://a.example/?reference=1");
  });
});

// Queries with pages that answer them (grade 2), touch them (1) or do not (0), and the lists that three sources of different
// strengths returned: a broad one with noise, a narrow one that often has nothing but its own subject, and one by popularity.
interface Judged {
  query: string;
  /** Title and grade by page; the page's URL is its letter. */
  pages: Record<string, [title: string, grade: number]>;
  broad: string;
  narrow: string;
  popular: string;
}

const judged: Judged[] = [
  {
    query: "rust borrow checker lifetimes",
    pages: {
      a: ["Lifetimes and the borrow checker in Rust", 2],
      b: ["Understanding Rust lifetimes", 2],
      c: ["Rust on old ships", 0],
      d: ["The borrow checker explained", 1],
      e: ["Rust 1.90 released", 0],
      f: ["Common Rust lifetime misconceptions", 2],
      g: ["Borrowing books from a library", 0],
    },
    broad: "c a g d",
    narrow: "b f a",
    popular: "e f a",
  },
  {
    query: "causes of coral bleaching",
    pages: {
      a: ["Coral bleaching: causes and effects", 2],
      b: ["Coral", 1],
      c: ["What causes coral to bleach", 2],
      d: ["Bleaching your hair at home", 0],
      e: ["Show: a coral reef in your browser", 0],
      f: ["Mass coral bleaching in warm years", 2],
    },
    broad: "d a c",
    narrow: "b f a",
    popular: "e f c",
  },
  {
    query: "postgres index bloat vacuum",
    pages: {
      a: ["Index bloat in Postgres and how vacuum helps", 2],
      b: ["Vacuum cleaners compared", 0],
      c: ["PostgreSQL routine vacuuming", 1],
      d: ["Finding bloat of an index in Postgres", 2],
      e: ["Index funds", 0],
      f: ["Vacuum tuning for large Postgres tables", 1],
    },
    broad: "b a e f",
    narrow: "c d a",
    popular: "f a d",
  },
  {
    query: "history of the printing press",
    pages: {
      a: ["Printing press", 2],
      b: ["History of printing", 2],
      c: ["A history of the printing press in Europe", 2],
      d: ["Bench press world records", 0],
      e: ["Press releases of a printing company", 0],
      f: ["Movable type and the press", 1],
    },
    broad: "e c a d",
    narrow: "a b f",
    popular: "d c",
  },
  {
    query: "sourdough starter not rising",
    pages: {
      a: ["Why is my sourdough starter not rising?", 2],
      b: ["Sourdough", 1],
      c: ["Starter motors that do not start", 0],
      d: ["Sourdough starter problems: it does not rise", 2],
      e: ["Rising damp", 0],
    },
    broad: "c a d e",
    narrow: "b",
    popular: "d a",
  },
  {
    query: "quantum error correction surface code",
    pages: {
      a: ["Surface codes: towards practical quantum error correction", 2],
      b: ["Quantum error correction", 2],
      c: ["Correction of surface errors in printing", 0],
      d: ["Error codes of washing machines", 0],
      e: ["A surface code below threshold", 2],
      f: ["Quantum foam mattresses", 0],
    },
    broad: "d b f",
    narrow: "a e b",
    popular: "e c a",
  },
];

describe("fusion on a small judged collection", () => {
  const list = ({ pages }: Judged, letters: string) =>
    letters.split(" ").map((letter) => result(`https://${letter}.example/`, pages[letter]?.[0] ?? ""));
  const gain = (grades: readonly number[]) =>
    grades.slice(0, 5).reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
  const scoreOf = (one: Judged, results: readonly ProviderResult[]) => {
    const ideal = Object.values(one.pages)
      .map(([, grade]) => grade)
      .sort((a, b) => b - a);
    const grades = results.map(({ url }) => one.pages[new URL(url).hostname.charAt(0)]?.[1] ?? 0);
    return gain(grades) / gain(ideal);
  };
  const mean = (rank: (one: Judged) => readonly ProviderResult[]) =>
    judged.reduce((sum, one) => sum + scoreOf(one, rank(one)), 0) / judged.length;

  it("is better than the best single source, and than fusion without relevance", () => {
    const singles = (["broad", "narrow", "popular"] as const).map((name) => mean((one) => list(one, one[name])));
    const lists = (one: Judged) =>
      (["broad", "narrow", "popular"] as const).map((engine) => ({ engine, results: list(one, one[engine]) }));
    const fused = mean((one) => fuseSources(lists(one), rateFor(parseQuery(one.query))));
    const blind = mean((one) => fuseSources(lists(one), () => 1));
    expect(fused).toBeGreaterThan(Math.max(...singles) + 0.05);
    expect(fused).toBeGreaterThan(blind);
    expect(fused).toBeGreaterThan(0.9);
  });

  it("keeps the first list's order between equals, counts a page of one list once, and names everybody who found it", () => {
    const fused = fuseSources(
      [
        { engine: "one", results: [result("https://a.example/", "x"), result("http://www.a.example", "x")] },
        { engine: "two", results: [result("https://b.example/", "x"), result("https://a.example/?utm_source=1", "x")] },
        { engine: "three", results: [result("https://c.example/", "x")] },
      ],
      () => 1,
    );
    expect(fused.map(({ url, engines }) => [url, engines])).toEqual([
      ["https://a.example/", ["one", "two"]],
      ["https://b.example/", ["two"]],
      ["https://c.example/", ["three"]],
    ]);
  });
});
