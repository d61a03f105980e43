// What every part of the program works with: the store, its clock and accounts, the network, the model and the content threads.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { createTeamSecrets, createTokenLedger } from "../accounts/index.ts";
import { type Clock, createOwner, type Logger, sha256, systemClock } from "../base/index.ts";
import { openHostShare, openStoreClock, type Role } from "../cluster/index.ts";
import type { Config } from "../config.ts";
import { createSealer, isOpenToOthers, readOrCreateSecret, type Store } from "../store/index.ts";
import { joinAccounts, openConfiguredStore, requireInUse } from "./configured-store.ts";
import { openThreads, type Threads } from "./join-content.ts";
import { joinModel } from "./join-model.ts";
import { joinNet, userAgent } from "./join-net.ts";
import { joinTracing } from "./join-tracing.ts";

export interface EmbeddedDeps {
  log: Logger;
  /** "all" unless given. */
  role?: Role;
}

export interface AppDeps extends EmbeddedDeps {
  clock?: Clock;
  /** Opened from the settings unless given; closed with the app either way. */
  store?: Store;
  /** Its own unless given; those that are given are left open. */
  threads?: Threads;
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

const packageFile = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

export const version: string = packageFile.version;

/** Of the project: the contact that search sources see where the operator has set none. */
export const homepage: string = packageFile.homepage;

const openFolder =
  "DATA_DIR can be entered by other users of this machine and holds other files too: give it its own folder";

export async function openPlatform(
  config: Config,
  { log, clock: givenClock, store: given, threads: givenThreads }: AppDeps,
  ownPorts: () => readonly number[],
) {
  const store = given ?? (await openConfiguredStore(config, log));
  await requireInUse(store);
  const storeClock = givenClock ? null : await openStoreClock(store, log);
  const clock = givenClock ?? storeClock?.clock ?? systemClock;
  const owner = createOwner(sha256(`${hostname()} ${resolve(config.dataDir)}`).slice(0, 16));
  const secret = config.secret ?? (await readOrCreateSecret(config.dataDir));
  if (config.databaseUrl === null && isOpenToOthers(config.dataDir)) log.warn({ dataDir: config.dataDir }, openFolder);
  const accounts = joinAccounts(config, store, clock);
  const agent = userAgent(config, version);
  const hostShare = openHostShare({ store, clock, log, limit: config.hostConcurrency });
  const net = joinNet(config, { log, clock, ownPorts, userAgent: agent, hostShare });
  const tracing = await joinTracing(config, net, version);
  const model = joinModel(config, { net, clock, ledger: createTokenLedger({ store, clock }) });
  const sealer = createSealer(secret);
  const threads = givenThreads ?? (await openThreads(config));
  return {
    store,
    /** The database's where several processes share one. */
    clock,
    log,
    /** What this process is called where it holds a lease. */
    owner,
    /** TRAWL_SECRET. */
    secret,
    sealer,
    accounts,
    secrets: createTeamSecrets({ store, sealer, clock, log }),
    net,
    userAgent: agent,
    /** Null where no collector is set. */
    tracing,
    /** Null when no language model is configured. */
    model,
    slicer: threads.slicer,
    content: threads.content,
    extraction: threads.extraction,
    /** Threads and connections first; the store is still there for what is written last. */
    async closeThreads(): Promise<void> {
      if (threads !== givenThreads) await threads.close();
      await tracing?.close();
      await net.close();
    },
    async closeStore(): Promise<void> {
      await accounts.slots.close();
      await storeClock?.stop();
      await store.close();
    },
  };
}
