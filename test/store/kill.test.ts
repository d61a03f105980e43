import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { monthOf, newId } from "../../src/base/index.ts";
import { startChild } from "../support/child.ts";
import { engines } from "../support/engines.ts";
import { makeCharge, noon } from "./rows.ts";

const chargeUntilKilled = new URL("./children/charge-until-killed.ts", import.meta.url);

describe.each(engines)("kill -9 on $name", ({ fresh }) => {
  it("keeps every charge that was acknowledged, and its sum", async () => {
    const { store, options, cleanup } = await fresh();
    onTestFinished(cleanup);
    const teamId = newId();
    const acknowledged: string[] = [];
    for (const enough of [1, 20, 57]) {
      const { process: child, lines } = startChild(chargeUntilKilled, { options, teamId });
      const ended = once(child, "exit");
      for (let count = 0; count < enough; count += 1) acknowledged.push((await lines.next()).value ?? "");
      child.kill("SIGKILL");
      await ended;
      for await (const id of lines) acknowledged.push(id);
    }
    const before = await store.charges.sumMonth(teamId, monthOf(noon));
    expect(before).toBeGreaterThanOrEqual(acknowledged.length);
    // At most the one charge of each round that was written but not yet told.
    expect(before).toBeLessThanOrEqual(acknowledged.length + 3);
    // Sent again, each of them is known.
    await store.charges.charge(acknowledged.map((id) => makeCharge(teamId, { id })));
    expect(await store.charges.sumMonth(teamId, monthOf(noon))).toBe(before);
  });
});
