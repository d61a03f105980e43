import { describe, expect, it } from "vitest";
import { createSlots } from "./slots.ts";

const never = new AbortController().signal;

describe("slots of a team", () => {
  it("let in as many as the limit says, the others in the order they came", async () => {
    const slots = createSlots({ limit: 2 });
    const entered: number[] = [];
    const enter = (index: number) =>
      slots.enter("team", never).then((leave) => {
        entered.push(index);
        return leave;
      });
    const visits = [1, 2, 3, 4].map(enter);
    const [first, second] = [await visits[0], await visits[1]];
    expect(slots.count("team")).toEqual({ active: 2, waiting: 2 });
    expect(slots.count("other")).toEqual({ active: 0, waiting: 0 });
    second?.();
    await visits[2];
    expect(entered).toEqual([1, 2, 3]);
    first?.();
    first?.();
    await visits[3];
    expect(slots.count("team")).toEqual({ active: 2, waiting: 0 });
  });

  it("let a waiting one go when its signal says so, and keep the rest in order", async () => {
    const slots = createSlots({ limit: 1 });
    const leave = await slots.enter("team", never);
    const impatient = new AbortController();
    const gone = slots.enter("team", impatient.signal);
    const patient = slots.enter("team", never);
    impatient.abort(new Error("gave up"));
    await expect(gone).rejects.toThrow("gave up");
    await expect(slots.enter("team", impatient.signal)).rejects.toThrow("gave up");
    expect(slots.count("team")).toEqual({ active: 1, waiting: 1 });
    leave();
    (await patient)();
    expect(slots.count("team")).toEqual({ active: 0, waiting: 0 });
  });
});
