// The name of this run of this process, by which the store knows who holds a lease.
import { hostname } from "node:os";
import { resolve } from "node:path";
import { sha256 } from "../base/index.ts";
import type { Config } from "../config.ts";
import { createOwner, type Owner } from "../jobs/index.ts";

export function nameOwner(config: Config): Owner {
  return createOwner(sha256(`${hostname()} ${resolve(config.dataDir)}`).slice(0, 16));
}
