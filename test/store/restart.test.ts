import { expect, it, onTestFinished } from "vitest";
import { ServiceError } from "../../src/base/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { makeTeam, noon } from "./rows.ts";

/** A server with its own store for a test, so that each begins with a server that runs. */
async function openOwn(): Promise<{ server: PostgresServer; store: Store }> {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const store = await openStore({ databaseUrl: server.url, poolSize: 4 });
  onTestFinished(() => store.close());
  return { server, store };
}

it("answers STORE_UNAVAILABLE while PostgreSQL is away, and works again when it is back", async () => {
  const { server, store } = await openOwn();
  const kept = makeTeam();
  await store.teams.insert(kept);
  await Promise.all(Array.from({ length: 4 }, () => store.teams.list())); // idle connections, to be cut

  const errors: unknown[] = [];
  const lost = makeTeam();
  const cutTransaction = store
    .transaction(async (statements) => {
      await statements.teams.insert(lost);
      await server.stop(); // the connection is cut while no statement runs on it
      await statements.teams.list();
    })
    .catch((error) => errors.push(error));
  await cutTransaction;
  for (let count = 0; count < 6; count += 1) await store.teams.list().catch((error) => errors.push(error));
  await store.transaction((statements) => statements.teams.insert(lost)).catch((error) => errors.push(error));
  expect(errors).toHaveLength(8);
  for (const error of errors) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "STORE_UNAVAILABLE", retryAfterSeconds: 5 });
  }
  expect(await store.checkHealth(noon)).toEqual({ canRead: false, canWrite: false });

  await server.start();
  expect(await store.teams.list()).toEqual([kept]);
  expect(await store.teams.insert(lost)).toBe(true);
  expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
});

it("survives a restart under load: only STORE_UNAVAILABLE, and every acknowledged row is there", async () => {
  const { server, store } = await openOwn();
  const acknowledged: string[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const team = makeTeam();
        await store.teams.insert(team).then(
          () => acknowledged.push(team.id),
          (error) => errors.push(error),
        );
      }
    }),
  );
  const reach = async (list: unknown[], more: number) => {
    const target = list.length + more;
    await expect.poll(() => list.length, { interval: 5 }).toBeGreaterThanOrEqual(target);
  };
  try {
    await reach(acknowledged, 50);
    await server.stop();
    await reach(errors, 8);
    await server.start();
    await reach(acknowledged, 50);
  } finally {
    isOver = true;
    await load;
  }
  for (const error of errors) expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
  const ids = new Set((await store.teams.list()).map((team) => team.id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
});

it("refuses to open, without hanging, when no PostgreSQL listens", async () => {
  const closed = openStore({ databaseUrl: "postgres://postgres@127.0.0.1:1/none" });
  await expect(closed).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
