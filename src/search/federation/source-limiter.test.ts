// Pace and rests of sources, shared by two processes on one database.
import { describe, expect, it, onTestFinished } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { silentLog } from "../../../test/support/job-store.ts";
import { openSources } from "../sources/source-table.ts";
import { rateLimited, refusedWith } from "./source-failure.ts";
import { createSourceLimiter } from "./source-limiter.ts";

const byName = (name: string) => {
  const found = openSources.find((source) => source.name === name);
  if (!found) throw new Error(name);
  return found;
};
const [github, mwmbl, wikipedia, wikidata, bing] = ["github", "mwmbl", "wikipedia", "wikidata", "bing"].map(byName);

describe.each(engines)("the limiter on $name", ({ fresh }) => {
  async function openLimiters(isPaced = true) {
    const opened = await fresh();
    onTestFinished(opened.cleanup);
    const clock = { time: 1_800_000_000_000, now: () => clock.time };
    const settings = { cooldownSeconds: 60, isPaced };
    const deps = { clock, log: silentLog };
    const one = createSourceLimiter({ ...deps, store: opened.store }, settings);
    const other = createSourceLimiter({ ...deps, store: await opened.openAnother() }, settings);
    return { one, other, clock };
  }
  const stateOf = async (limiter: ReturnType<typeof createSourceLimiter>, source = github) =>
    source && (await limiter.admit([source])).get(source.name)?.state;

  it("lets as many requests through as a source takes, of all processes together", async () => {
    const { one, other, clock } = await openLimiters();
    const states: unknown[] = [];
    for (let at = 0; at < 12; at += 1) states.push(await stateOf(at % 2 === 0 ? one : other));
    expect(states.filter((state) => state === "admitted")).toHaveLength(9);
    expect(states.slice(9)).toEqual(["paced", "paced", "paced"]);
    clock.time += 59_999;
    expect(await stateOf(other)).toBe("paced");
    clock.time += 1;
    expect(await stateOf(other)).toBe("admitted");
    // Two sources of one operator are two requests in one pace.
    if (!wikipedia || !wikidata || !mwmbl) throw new Error();
    const both = await one.admit([wikipedia, wikidata, mwmbl]);
    expect([...both.values()].map(({ state }) => state)).toEqual(["admitted", "admitted", "admitted"]);
    expect(await one.paces()).toContainEqual({ bucket: "wikimedia 60 s", used: 2 });
  });

  it("rests for all processes, and lets one request try afterwards", async () => {
    const { one, other, clock } = await openLimiters(false);
    if (!github) throw new Error();
    expect(await one.noteFailure(github, rateLimited(429, 30), false)).toBe(clock.time + 30_000);
    expect(await stateOf(other)).toBe("resting");
    // A request that was under way changes nothing.
    expect(await other.noteFailure(github, rateLimited(429, null), false)).toBe(clock.time + 30_000);
    clock.time += 30_000;
    const tries = await Promise.all([one.admit([github]), other.admit([github])]);
    expect(tries.map((all) => all.get("github")?.state).sort()).toEqual(["admitted", "resting"]);
    expect(await one.noteFailure(github, refusedWith(500, null), true)).toBe(clock.time + 120_000);
    clock.time += 120_000;
    const trial = (await one.admit([github])).get("github");
    expect(trial).toEqual({ state: "admitted", isHeld: true, isTrial: true });
    await one.noteAnswer(github, true, 0);
    expect((await other.admit([github])).get("github")).toEqual({ state: "admitted", isHeld: false, isTrial: false });
  });

  it("rests after three failures in a row, doubled up to a limit, longer for engines whose pages are read", async () => {
    const { one, clock } = await openLimiters(false);
    if (!mwmbl || !bing) throw new Error();
    const failed = refusedWith(500, null);
    expect([await one.noteFailure(mwmbl, failed, false), await one.noteFailure(mwmbl, failed, false)]).toEqual([
      null,
      null,
    ]);
    await one.noteAnswer(mwmbl, true, 0);
    for (let at = 0; at < 2; at += 1) expect(await one.noteFailure(mwmbl, failed, false)).toBeNull();
    expect(await one.noteFailure(mwmbl, failed, false)).toBe(clock.time + 60_000);
    const rests: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      clock.time += 86_400_000;
      rests.push(((await one.noteFailure(bing, refusedWith(403, null), true)) ?? 0) - clock.time);
    }
    expect(rests.slice(0, 4)).toEqual([60_000, 120_000, 240_000, 480_000]);
    expect(rests.at(-1)).toBe(24 * 3_600_000);
    expect(await one.noteFailure(bing, rateLimited(429, 10 * 86_400), true)).toBe(clock.time + 86_400_000);
    // Answers of one that wants to be left alone count; then it is.
    await one.noteAnswer(mwmbl, true, 15);
    expect((await one.admit([mwmbl])).get("mwmbl")).toMatchObject({ state: "resting", until: clock.time + 15_000 });
  });
});
