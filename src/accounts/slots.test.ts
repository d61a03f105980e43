import { setMaxListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addTeam } from "../../test/store/rows.ts";
import { engines, type FreshStore } from "../../test/support/engines.ts";
import { createSlots, type Slots, secondMs } from "../base/index.ts";
import { createHostShare, createTeamShare, fairShare, slotLeaseMs } from "./slot-share.ts";

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

describe("a fair share", () => {
  it.each([
    [50, 10, [], 10],
    [50, 80, [], 50],
    [50, 50, [50], 25],
    [50, 50, [10], 40],
    [50, 10, [50, 50], 10],
    [50, 50, [5, 50], 23],
    [3, 9, [9, 9, 9], 1],
  ])("of %i for one that wants %i beside %j is %i", (limit, wanted, others, share) => {
    expect(fairShare(limit, wanted, others)).toBe(share);
  });
});

describe.each(engines)("slots of a team over several processes on $name", (engine) => {
  const limit = 6;
  let fresh: FreshStore;
  let teamId: string;
  let now: number;
  let processes: Slots[];
  const patient = { interval: 10 };

  beforeEach(async () => {
    fresh = await engine.fresh();
    teamId = (await addTeam(fresh.store)).id;
    now = Date.now();
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((slots) => slots.close()));
    await fresh.cleanup();
  });

  /** `die`: whatever it still writes is of that time, so that its leases are not renewed any more. */
  async function startProcess(places = limit, createShare: typeof createTeamShare = createTeamShare) {
    let diedAt: number | null = null;
    const clock = { now: () => diedAt ?? now };
    const slots = createSlots({
      limit: places,
      share: createShare({ store: await fresh.openAnother(), clock, limit: places }),
    });
    processes.push(slots);
    const die = () => {
      diedAt = now;
    };
    return { ...slots, die };
  }

  /** Enters and stays until told to leave. */
  function occupy(slots: Slots, count: number) {
    const left: (() => void)[] = [];
    const waits = new AbortController();
    setMaxListeners(0, waits.signal);
    for (let index = 0; index < count; index += 1) {
      slots.enter(teamId, waits.signal).then(
        (leave) => left.push(leave),
        () => undefined,
      );
    }
    return {
      inside: () => left.length,
      leave: (leaving: number) => {
        for (const leave of left.splice(0, leaving)) leave();
      },
      giveUp: () => waits.abort(),
    };
  }

  it("are never more than the limit, and shared when both want more", async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    const first = occupy(one, 20);
    await expect.poll(first.inside, patient).toBe(6);
    const second = occupy(two, 20);
    await expect.poll(() => two.count(teamId).waiting).toBe(20);
    // Whoever wants its part gets it as soon as pages end elsewhere.
    await expect
      .poll(() => {
        expect(one.count(teamId).active + two.count(teamId).active).toBeLessThanOrEqual(limit);
        if (one.count(teamId).active > 3) first.leave(1);
        return [one.count(teamId).active, two.count(teamId).active];
      }, patient)
      .toEqual([3, 3]);
    first.giveUp();
    second.giveUp();
    first.leave(6);
    second.leave(6);
  });

  it("are places at a host, too, and not the same as those of a team", async () => {
    const host = "a.test";
    const [one, two] = [await startProcess(2, createHostShare), await startProcess(2, createHostShare)];
    const team = occupy(await startProcess(), 6);
    await expect.poll(team.inside, patient).toBe(6);
    await Promise.all([one.enter(host, never), one.enter(host, never)]);
    const waits = new AbortController();
    let entered = false;
    const third = two.enter(host, waits.signal).then((leave) => {
      entered = true;
      return leave;
    });
    await expect.poll(() => two.countAll()).toEqual({ active: 0, waiting: 1 });
    expect(entered).toBe(false);
    // The first process dies without a word.
    one.die();
    now += slotLeaseMs;
    (await third)();
    team.leave(6);
  });

  it("are one process's alone while no other wants any, at the cost of few questions", async () => {
    let questions = 0;
    const { store } = fresh;
    const share = createTeamShare({ store, clock: { now: () => now }, limit: 50 });
    const counting = {
      ...share,
      resize: (...need: Parameters<typeof share.resize>) => {
        questions += 1;
        return share.resize(...need);
      },
    };
    const slots = createSlots({ limit: 50, share: counting });
    processes.push(slots);
    for (let visit = 0; visit < 200; visit += 1) (await slots.enter(teamId, never))();
    expect(questions).toBe(1);
  });

  it("come back when a process ends, at once if it says so, else when its lease has run out", async () => {
    const [one, two, three] = [await startProcess(), await startProcess(), await startProcess()];
    const first = occupy(one, 6);
    await expect.poll(first.inside, patient).toBe(6);
    first.leave(6);
    await one.close();
    const second = occupy(two, 6);
    await expect.poll(second.inside, patient).toBe(6);
    // The second process dies without a word.
    two.die();
    now += slotLeaseMs + secondMs;
    const third = occupy(three, 6);
    await expect.poll(third.inside, patient).toBe(6);
    second.leave(6);
    third.leave(6);
  });
});
