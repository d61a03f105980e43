import { describe, expect, it } from "vitest";
import { readVerbLines } from "./verb-lines.ts";

const wordsOf = (text: string) => readVerbLines(text)?.map(({ words }) => words) ?? null;

describe("lines of agent-browser verbs", () => {
  it.each([
    ["agent-browser get title", [["get", "title"]]],
    [
      "  agent-browser   open  https://example.com/a-b_c.html%20d,e=f@g:80 ",
      [["open", "https://example.com/a-b_c.html%20d,e=f@g:80"]],
    ],
    ["agent-browser click @e1;agent-browser back", [["click", "@e1"], ["back"]]],
    ["agent-browser back\nagent-browser back;\n\n", [["back"], ["back"]]],
    ["agent-browser fill '#name' 'It''s $HOME `id` && ;'", [["fill", "#name", "Its $HOME `id` && ;"]]],
    ['agent-browser fill "#name" "a \\"b\\" \\\\ \\n c"', [["fill", "#name", 'a "b" \\ \\n c']]],
    ['agent-browser type x ""', [["type", "x", ""]]],
    ["agent-browser open a &&\n  agent-browser back", [["open", "a"], ["back"]]],
  ])("reads %j", (text, wanted) => {
    expect(wordsOf(text)).toEqual(wanted);
  });

  it("knows which command waits for the success of the one before", () => {
    const commands = readVerbLines("agent-browser back && agent-browser back; agent-browser back");
    expect(commands?.map(({ needsSuccess }) => needsSuccess)).toEqual([false, true, false]);
  });

  it.each([
    "",
    " ; ",
    "agent-browser",
    "ls",
    "agent-browser get title; ls",
    "agent-browser get title && rm -rf /",
    "agent-browser get title | cat",
    "agent-browser get title & ls",
    "agent-browser get title || ls",
    "agent-browser get title > /tmp/x",
    "agent-browser get $(id)",
    'agent-browser get "$(id)"',
    'agent-browser get "`id`"',
    "agent-browser get $HOME",
    "agent-browser get *",
    "agent-browser get ~",
    "agent-browser get a\\ b",
    "agent-browser get 'open",
    "agent-browser get title &&",
    "&& agent-browser get title",
    "agent-browser back && ; agent-browser back",
    "agent-browser back # comment",
    "X=1 agent-browser back",
    "agent-browser-evil back",
    "{ agent-browser back; }",
  ])("leaves %j to a shell", (text) => {
    expect(readVerbLines(text)).toBeNull();
  });

  it("bounds how many there are", () => {
    const lines = (count: number) => "agent-browser back\n".repeat(count);
    expect(readVerbLines(lines(200))).toHaveLength(200);
    expect(readVerbLines(lines(201))).toBeNull();
  });
});
