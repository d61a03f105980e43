import { describe, expect, it } from "vitest";
import { createWaitingLine } from "./waiting-line.ts";

const patient = () => new AbortController().signal;

describe("the waiting line", () => {
  it("lets in as many as there are places, the others in their order", async () => {
    const line = createWaitingLine(1, 10);
    const order: string[] = [];
    const leaveFirst = await line.enter(patient());
    const second = line.enter(patient()).then((leave) => {
      order.push("second");
      return leave;
    });
    const third = line.enter(patient()).then((leave) => {
      order.push("third");
      return leave;
    });
    expect(order).toEqual([]);
    leaveFirst?.();
    leaveFirst?.();
    (await second)?.();
    await third;
    expect(order).toEqual(["second", "third"]);
  });

  it("turns away whoever would be one too many", async () => {
    const line = createWaitingLine(1, 1);
    await line.enter(patient());
    void line.enter(patient());
    expect(await line.enter(patient())).toBeNull();
  });

  it("forgets whoever goes away", async () => {
    const line = createWaitingLine(1, 1);
    const leave = await line.enter(patient());
    const impatient = new AbortController();
    const waiting = line.enter(impatient.signal);
    impatient.abort(new Error("too long"));
    await expect(waiting).rejects.toThrow("too long");
    await expect(line.enter(impatient.signal)).rejects.toThrow("too long");
    const next = line.enter(patient());
    leave?.();
    expect(await next).not.toBeNull();
  });
});
