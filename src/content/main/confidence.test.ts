import { describe, expect, it } from "vitest";
import { calibrated } from "./confidence.ts";

describe("calibrated confidence", () => {
  const steps = [
    [0.5, 0.4],
    [0.8, 0.7],
    [0.9, 0.95],
  ] as const;

  it("is what results reached of which as much was said", () => {
    expect(calibrated(0.5, steps)).toBe(0.4);
    expect(calibrated(0.8, steps)).toBeCloseTo(0.7);
    expect(calibrated(0.65, steps)).toBeCloseTo(0.55);
  });

  it("rises from nothing to the last step and no further", () => {
    expect(calibrated(0, steps)).toBe(0);
    expect(calibrated(0.25, steps)).toBeCloseTo(0.2);
    expect(calibrated(1, steps)).toBe(0.95);
  });

  it("is what was said where nothing is known of results", () => {
    expect(calibrated(0.7, [])).toBe(0.7);
  });
});
