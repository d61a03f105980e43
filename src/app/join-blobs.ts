// Where blobs lie, as configured. A place that is no longer written to is still read while its settings are there.

import { existsSync } from "node:fs";
import { loadS3 } from "../adapters/index.ts";
import type { Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import { createNet } from "../net/index.ts";
import { type BlobPlace, createDiskPlace, type OutsideOptions } from "../store/index.ts";
import { type CompanySettings, companyNetwork } from "./join-net.ts";

export async function joinBlobs(
  config: Pick<Config, "blobs" | "blobsDir" | "s3" | "dnsServer"> & CompanySettings,
  log: Logger | null,
): Promise<OutsideOptions> {
  const { blobs, blobsDir, s3, dnsServer } = config;
  const places: BlobPlace[] = [];
  if (blobs === "disk" || existsSync(blobsDir)) places.push(createDiskPlace(blobsDir));
  if (s3 !== null) {
    const { createS3Place } = await loadS3();
    // Its own connections: the store opens first, and the limits of pages are not for it.
    const own = { allowedPrivateHosts: [], dnsServer, ownPorts: () => [], userAgent: "Trawl" };
    const net = createNet({ ...own, ...companyNetwork(config) });
    places.push(createS3Place({ net }, s3));
  }
  return {
    places,
    writesTo: blobs === "database" ? null : blobs,
    onTrouble: (place, error) =>
      log?.warn({ place, err: error }, "blobs cannot be written or read outside; new ones go into the database"),
  };
}
