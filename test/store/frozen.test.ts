// A process that freezes in the middle of a transaction.
import { expect, it, onTestFinished } from "vitest";
import { engines } from "../support/engines.ts";
import { addTeam } from "./rows.ts";

const postgres = engines.filter(({ name }) => name === "postgres");

it.each(postgres)(
  "loses its rows on $name after a while, so that others go on; its own change is undone",
  async (engine) => {
    const { store, openAnother, cleanup } = await engine.fresh();
    onTestFinished(cleanup);
    const other = await openAnother();
    const team = await addTeam(store);
    let wake = () => {};
    const asleep = new Promise<void>((done) => {
      wake = done;
    });
    let isHeld = false;
    const frozen = store.transaction(async (statements) => {
      await statements.teams.setRequestsPerMinute(team.id, 1);
      isHeld = true;
      await asleep;
      await statements.teams.setRequestsPerMinute(team.id, 3);
    });
    const ended = frozen.catch((error: unknown) => error);
    await expect.poll(() => isHeld).toBe(true);
    expect(await other.teams.setRequestsPerMinute(team.id, 2)).toBe(true);
    wake();
    expect(await ended).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect((await other.teams.findByName(team.name))?.requestsPerMinute).toBe(2);
    expect(await store.teams.findByName(team.name)).toMatchObject({ id: team.id });
  },
);
