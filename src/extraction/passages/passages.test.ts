// Passages in place of answers and summaries.
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { findPassages, summarise } from "./passages.ts";

const text = `# Lighthouses

The tower was built in 1904 by the harbour company. It is 35 metres tall.

- Opening hours: daily from 9 to 17
- [Tickets](https://x.test/tickets) cost 5 euros

| Year | Visitors |
|---|---|
| 2020 | 1200 |

Birds nest on the rocks below the tower in spring.`;

describe("findPassages", () => {
  it.each([
    ["When was the tower built?", "The tower was built in 1904 by the harbour company. It is 35 metres tall."],
    ["ticket cost", "Tickets cost 5 euros"],
    ["opening hour", "Opening hours: daily from 9 to 17"],
  ])("%s", (query, best) => {
    expect(findPassages(text, query)[0]?.text).toBe(best);
  });

  it("gives nothing for words that are not there", () => {
    expect(findPassages(text, "submarine")).toEqual([]);
    expect(findPassages(text, "?!")).toEqual([]);
    expect(findPassages("", "tower")).toEqual([]);
    expect(findPassages(text, "What is the submarine by the rocks?")).toHaveLength(1);
    expect(findPassages(text, "What is the price of the submarine?")).toEqual([]);
    expect(findPassages(text, "What is it?")).not.toEqual([]);
  });

  it("keeps passages short and in time on long texts", () => {
    const long = "The tower is tall and white. ".repeat(50_000);
    const spentMs = startCpuTimer();
    for (const passage of findPassages(long, "tower")) expect(passage.text.length).toBeLessThanOrEqual(600);
    expect(spentMs()).toBeLessThan(3000);
  });
});

describe("summarise", () => {
  it("gives sentences of the text in its order, each once", () => {
    const summary = summarise(text, 2);
    expect(summary.split(/(?<=\.) /).length).toBeLessThanOrEqual(3);
    for (const sentence of summary.split(/(?<=\.) /)) expect(text).toContain(sentence);
    expect(summarise("Same sentence about the tower here. Same sentence about the tower here.", 2)).toBe(
      "Same sentence about the tower here.",
    );
  });

  it("leaves headings out, and keeps items apart from sentences", () => {
    const page =
      "# The tower of the harbour\n\nThe tower was built in 1904. Its lamp is seen from far away.\n\n## Visits to the tower";
    expect(summarise(page)).toBe("The tower was built in 1904. Its lamp is seen from far away.");
    expect(
      summarise(`${page}\n\n- Opening hours of the tower: from 9 to 17\n- Tickets for the tower cost 5 euros`),
    ).toBe(
      [
        "The tower was built in 1904. Its lamp is seen from far away.",
        "Opening hours of the tower: from 9 to 17",
        "Tickets for the tower cost 5 euros",
      ].join("\n"),
    );
    expect(summarise("# The tower\nThe tower was built in 1904.")).toBe("The tower was built in 1904.");
    expect(summarise("# The tower\n\n## Visits")).toBe("The tower\nVisits");
    expect(summarise('```json\n{ "tower": 1 }\n```')).toBe('{ "tower": 1 }');
  });

  it("gives nothing of nothing", () => {
    expect(summarise("")).toBe("");
  });
});
