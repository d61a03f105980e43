import { describe, expect, it } from "vitest";
import { type Label, readSubject } from "./subject.ts";

const at = (path: string, text = ""): Label => ({ url: `https://shop.test${path}`, text });
const boats = [at("/boat-1", "Boat 1"), at("/boat-2", "Boat 2"), at("/boat-12", "Boat 12"), at("/shop", "Shop")];
const kept = (prompt: string, labels: readonly Label[] = boats) =>
  readSubject(prompt, "price sku")
    .keep(labels, labels)
    .map(({ url }) => new URL(url).pathname);

describe("the subject of a prompt", () => {
  it.each([
    ["price of boat 2", ["/boat-2"]],
    ["What is the price of Boat no. 12?", ["/boat-12"]],
    ["sku of boat-1", ["/boat-1"]],
    ["boat2", ["/boat-2"]],
    ["price of boat 02", ["/boat-2"]],
    ["price of boat 99", []],
    ["price of the boat", ["/boat-1", "/boat-2", "/boat-12", "/shop"]],
    ["the 2 cheapest boats", ["/boat-1", "/boat-2", "/boat-12", "/shop"]],
    ["price in 2026", ["/boat-1", "/boat-2", "/boat-12", "/shop"]],
    ["kayak 7", ["/boat-1", "/boat-2", "/boat-12", "/shop"]],
  ])("%j keeps %j", (prompt, paths) => {
    expect(kept(prompt)).toEqual(paths);
  });

  it("counts the words of a label, not those that are asked for", () => {
    const { matches } = readSubject("Find the price of the red kayak", "price");
    expect(matches(at("/p/7", "Red kayaks"))).toBe(2);
    expect(matches(at("/red-kayak", "Red kayak"))).toBe(2);
    expect(matches(at("/blue-kayak"))).toBe(1);
    expect(matches(at("/prices", "The prices"))).toBe(0);
  });
});
