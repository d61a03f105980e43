import { describe, expect, it } from "vitest";
import { type KnownUrl, progressOf } from "./agent-progress.ts";
import { type RunState, whyOver } from "./plan-step.ts";

const page: KnownUrl = { url: "https://site.test/a", text: "", depth: 0 };
const stateOf = (left: Partial<RunState["left"]>, given: Partial<RunState> = {}): RunState => ({
  progress: progressOf([]),
  known: new Map([["a", page]]),
  tools: ["scrape", "finish"],
  left: { steps: 5, pages: 5, credits: 5, seconds: 5, ...left },
  ...given,
});

describe("a planned run", () => {
  it("goes on while something is left to read and to read it with", () => {
    expect(whyOver(stateOf({}), false)).toBeNull();
  });

  it.each([
    [{ seconds: 0 }, "time_limit_reached"],
    [{ steps: 0 }, "step_limit_reached"],
    [{ credits: 0 }, "credit_limit_reached"],
    [{ pages: 0 }, "step_limit_reached"],
    [{ seconds: 0, steps: 0, credits: 0 }, "time_limit_reached"],
  ])("with %j left is over: %s", (left, stopReason) => {
    expect(whyOver(stateOf(left), false)).toMatchObject({ tool: "finish", stopReason });
  });

  it("that has as many pages as the credits pay for is over for want of credits", () => {
    expect(whyOver(stateOf({ pages: 0 }), true)).toMatchObject({ stopReason: "credit_limit_reached" });
  });

  it("is over when every given page was requested, unless it can search or act", () => {
    expect(whyOver(stateOf({}, { known: new Map() }), false)).toEqual({
      tool: "finish",
      reason: "All given pages were requested.",
    });
    expect(whyOver(stateOf({}, { known: new Map(), tools: ["search"] }), false)).toBeNull();
  });
});
