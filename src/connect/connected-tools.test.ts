import { expect, test } from "vitest";
import { dialectNames } from "../config/dialect-names.ts";
import { connectedTools } from "./index.ts";

test("every tool speaks something that is served, at its path", () => {
  for (const { speaks, lines } of connectedTools) {
    const names = speaks.split(", ");
    const known: string[] = ["v2", "mcp", ...dialectNames];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
    for (const name of names.filter((each) => each !== "v2" && each !== "rerank")) {
      // MCP is also served by a command.
      expect(lines.join("\n")).toMatch(new RegExp(`(?:URL|HOST)/${name}\\b|"trawl","${name}"`));
    }
  }
});

test("no use of a tool is listed twice", () => {
  const keys = connectedTools.map(({ tool, use, speaks }) => `${tool} ${use} ${speaks}`);
  expect(new Set(keys).size).toBe(keys.length);
});
