import { describe, expect, it } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { fuseResults } from "./fuse-results.ts";
import type { ResultText } from "./search-result.ts";
import { joinVerdicts, siftResults } from "./sift-results.ts";
import { checkSubject, readSubjects, withSubjects } from "./site-subjects.ts";

const page = (title: string, text = "", links: string[] = []): ResultText => ({ title, description: "", text, links });
const found = (url: string, title = "", description = "") => ({ url, title, description, published: null, date: "" });

describe("related: with a service that lacks it", () => {
  const home = page("Beekeeping: hives, honey and pollination", "Hives and honey. Honey, pollen, hives, beekeeping.");
  const reading = (pages: Record<string, ResultText>) => async (url: string) => pages[url] ?? null;
  const subjectOf = async (query: string) =>
    (await readSubjects(parseQuery(query), reading({ "https://bees.example/": home }))).subjects;

  it("searches for the title words of the site's home page instead", async () => {
    const query = parseQuery("related:bees.example shop");
    const asked = withSubjects(query, await subjectOf("related:bees.example shop"));
    expect(asked.clauses.map((clause) => "text" in clause && clause.text)).toEqual([
      "shop",
      "beekeeping",
      "hives",
      "honey",
      "pollination",
    ]);
  });

  it("leaves the site out and keeps what shares its subject or links to it", async () => {
    const [subject] = await subjectOf("related:bees.example");
    if (!subject) throw new Error("no subject");
    const check = checkSubject(subject);
    expect(check(found("https://www.bees.example/a", "Beekeeping hives honey"))).toBe("no");
    expect(check(found("https://other.example/", "Honey and hives", "All about beekeeping"))).toBe("yes");
    const unclear = found("https://other.example/", "Cars");
    expect(check(unclear)).toBe("unknown");
    expect(check({ ...unclear, text: "Wheels", links: ["https://bees.example/start"] })).toBe("yes");
    expect(check({ ...unclear, text: "Wheels and motors", links: ["https://cars.example/"] })).toBe("no");
  });

  it("is inverted by -", async () => {
    const [subject] = await subjectOf("-related:bees.example");
    if (!subject) throw new Error("no subject");
    const check = checkSubject(subject);
    expect(check(found("https://other.example/", "Honey and hives", "All about beekeeping"))).toBe("no");
    expect(check({ ...found("https://other.example/", "Cars"), text: "Wheels" })).toBe("yes");
  });

  it("searches for the name of a site that cannot be read, and says so", async () => {
    const { subjects, warnings } = await readSubjects(parseQuery("related:bees.example"), reading({}));
    expect(subjects[0]?.text).toBe("bees");
    expect(warnings).toEqual([expect.stringContaining("bees.example could not be read")]);
  });
});

describe("sifting", () => {
  const results = Array.from({ length: 10 }, (_, index) => found(`https://example.com/${index}`));

  it("keeps the order, reads no more pages than it must, and lets those that cannot be read take no place", async () => {
    const asked: string[] = [];
    const check = ({ text }: { text?: string | undefined }) =>
      text === undefined ? ("unknown" as const) : text === "good" ? ("yes" as const) : ("no" as const);
    const read = (url: string) => {
      asked.push(url);
      const index = Number(url.slice(-1));
      return index === 0 ? null : page("", index % 2 === 0 ? "good" : "bad");
    };
    const sifted = await siftResults(results, { check, limit: 3, readText: async (url) => read(url) });
    expect(sifted.kept.map(({ url }) => url.slice(-1))).toEqual(["2", "4", "6"].slice(0, sifted.kept.length));
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(joinVerdicts(["yes", "unknown", "no"])).toBe("no");
    expect(joinVerdicts(["yes", "unknown"])).toBe("unknown");
  });
});

describe("fusing lists", () => {
  it("takes turns, raises what several have, and has each page once", () => {
    const resultKey = ({ hostname, pathname }: URL) => hostname.replace("www.", "") + pathname.replace(/\/$/, "");
    const urls = (...paths: string[]) => paths.map((path) => found(`https://example.com/${path}`));
    const fused = fuseResults(
      [urls("a", "b", "both"), [...urls("c", "d"), found("http://www.example.com/both/", "T")]],
      resultKey,
    );
    expect(fused.map(({ url }) => url.slice(20))).toEqual(["both", "a", "c", "b", "d"]);
    expect(fused[0]?.title).toBe("T");
  });
});
