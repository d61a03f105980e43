// Keeping what servers sent, and answering a request out of what was kept.
import * as z from "zod";
import { uuidField } from "./common-fields.ts";
import type { ScrapeOptions } from "./scrape-options.ts";

const moment = z
  .string()
  .refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)), "Must be an ISO 8601 time");

export const replay = z
  .strictObject({
    archive: uuidField("Id of the archive"),
    at: moment.optional().describe("Take the captures nearest to this time; the newest unless given"),
  })
  .meta({ id: "Replay", description: "Answer the request out of an archive, without a connection" });

export const archiveFormats = ["wacz", "warc"] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

export type ReplayField = z.output<typeof replay>;

export const archiveKeys = {
  archive: z.boolean().optional().describe("Keep every exchange as a web archive (WARC)"),
  replay: replay.optional(),
};

interface Archived {
  archive?: boolean | undefined;
  replay?: ReplayField | undefined;
}

const kept = "archive: true keeps what servers send as they send it, so it cannot be combined with";

/** What contradicts keeping the bytes. */
export function checkArchive(
  { archive, replay: replayed }: Archived,
  options: Pick<ScrapeOptions, "zeroDataRetention" | "redactPII" | "lockdown" | "minAge">,
  context: z.RefinementCtx,
): void {
  if (archive !== true) return;
  const asked = {
    zeroDataRetention: options.zeroDataRetention,
    redactPII: options.redactPII !== false,
    lockdown: options.lockdown,
    minAge: options.minAge !== undefined,
    replay: replayed !== undefined,
  };
  const names = Object.entries(asked).filter(([, isAsked]) => isAsked);
  for (const [name] of names) context.addIssue({ code: "custom", path: ["archive"], message: `${kept} ${name}` });
}

/** Only what was sent: most requests have neither. */
export function archiveOf({ archive, replay: replayed }: Archived): Archived {
  return { ...(archive === true ? { archive } : {}), ...(replayed === undefined ? {} : { replay: replayed }) };
}
