// Secrets of a team, on both engines: sealed, bound to hosts, and one-time codes at the edge of a period.
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTeamSecrets, type TeamSecrets } from "../../src/accounts/index.ts";
import { type Clock, newId } from "../../src/base/index.ts";
import { createSealer, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";

const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const { signal } = new AbortController();

describe.each(engines)("secrets on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  let secrets: TeamSecrets;
  let now = 0;
  const waits: number[] = [];
  /** Pauses pass at once. */
  const clock: Clock = {
    now: () => now,
    async wait(ms) {
      waits.push(ms);
      now += ms;
    },
  };
  let teamId = "";
  beforeEach(async () => {
    opened = await stores.fresh();
    teamId = newId();
    store = opened.store;
    secrets = createTeamSecrets({ store, clock, sealer: createSealer("the operator's secret"), log: {} });
    now = 59_000;
    waits.length = 0;
  });
  afterEach(() => opened.cleanup());

  const put = (name: string, value: string, type: "text" | "totp" = "text", hosts = ["shop.example"]) =>
    secrets.put(teamId, { name, type, value, hosts });

  it("are kept sealed for one team and name, and replaced by name", async () => {
    await put("password", "first value");
    now += 5;
    await put("password", "second value", "text", ["a.example", "b.example:8443"]);
    const [row] = await secrets.list(teamId);
    expect(row).toMatchObject({ createdAt: 59_000, updatedAt: 59_005, lastUsedAt: null });
    expect(JSON.stringify(row)).not.toContain("value");
    const { valueFor } = await secrets.open(teamId, ["password"]);
    expect(await valueFor("password", "https://x.b.example:8443/", signal)).toBe("second value");
    expect((await secrets.list(teamId))[0]?.lastUsedAt).toBe(59_005);
    // A row that was moved to another name or team does not open.
    await store.secrets.put({ ...(row as NonNullable<typeof row>), name: "other" }, now);
    await expect(secrets.open(teamId, ["other"])).rejects.toThrow(/cannot be opened/);
    await expect(secrets.open(newId(), ["password"])).rejects.toMatchObject({ code: "FLOW_SECRET_MISSING" });
    await secrets.delete(teamId, "password");
    await expect(secrets.delete(teamId, "password")).rejects.toMatchObject({ code: "SECRET_NOT_FOUND" });
  });

  it("are refused on other hosts, with nothing of the value in what is said; what was opened is masked", async () => {
    await put("password", "hunter2-hunter2");
    const { mask, valueFor } = await secrets.open(teamId, ["password", "password"]);
    const refused = valueFor("password", "https://evil.example/shop.example", signal);
    await expect(refused).rejects.toMatchObject({
      code: "SECRET_HOST_MISMATCH",
      message: 'The secret "password" may not be typed on evil.example. It is for shop.example.',
    });
    expect((await secrets.list(teamId))[0]?.lastUsedAt).toBeNull();
    expect(mask.json({ text: ["x hunter2-hunter2 y"] })).toEqual({ text: ["x [secret:password] y"] });
    await expect(secrets.open(teamId, ["password", "no", "none"])).rejects.toMatchObject({
      code: "FLOW_SECRET_MISSING",
      details: { secrets: ["no", "none"] },
    });
  });

  it("give the code of the moment, wait over one that is about to end, and give none twice", async () => {
    await put("code", key, "totp");
    const first = await secrets.open(teamId, ["code"]);
    const next = () => first.valueFor("code", "https://shop.example/", signal);
    // A second is left of thirty: less than a tenth.
    now = 59_000;
    const second = await next();
    expect([now, waits]).toEqual([60_000, [1000]]);
    expect(first.mask.text(`code ${second}`)).toBe("code [secret:code]");
    // Three seconds are a tenth: it is taken. It was given in this period, so the next period is waited for.
    now = 87_000;
    const third = await next();
    expect([now, third === second]).toEqual([90_000, false]);
    now = 147_000;
    await next();
    expect(now).toBe(147_000);
    now = 177_001;
    await next();
    expect(now).toBe(180_000);
  });

  it("give each code once, however many ask, on whatever server", async () => {
    await put("code", key, "totp");
    now = 60_000;
    const another = await opened.openAnother();
    const other = createTeamSecrets({ store: another, clock, sealer: createSealer("the operator's secret"), log: {} });
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, place) => (place % 2 ? secrets : other).open(teamId, ["code"])),
    );
    const codes = await Promise.all(runs.map((run) => run.valueFor("code", "https://shop.example/", signal)));
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("stop waiting with their run", async () => {
    await put("code", key, "totp");
    const ending = new AbortController();
    const real = createTeamSecrets({
      store,
      log: {},
      clock: { now: () => 59_999 },
      sealer: createSealer("the operator's secret"),
    });
    const { valueFor } = await real.open(teamId, ["code"]);
    const waiting = valueFor("code", "https://shop.example/", AbortSignal.any([ending.signal, AbortSignal.abort()]));
    await expect(waiting).rejects.toThrow();
  });

  it("are at most 500, and one more only in place of another", async () => {
    const row = await put("s0", "value");
    await store.transaction(async (statements) => {
      for (let place = 1; place < 500; place += 1) await statements.secrets.put({ ...row, name: `s${place}` }, now);
    });
    await expect(put("more", "value")).rejects.toMatchObject({ code: "SECRET_LIMIT" });
    await expect(put("s7", "value")).resolves.toMatchObject({ name: "s7" });
  });
});
