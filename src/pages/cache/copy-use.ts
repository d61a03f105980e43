// Which cached copies a request may use, and which it may create.
import { type Clock, holdsCredentials } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { usableCopies } from "../formats/formats.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { type CopyKeys, copyKeys } from "./copy-keys.ts";

/** The span of time in which a usable copy was fetched. */
export interface CopySpan {
  from: number;
  /** Null: up to now. */
  to: number | null;
}

export interface CopyUse {
  /** Made when they are first asked for: a page that has not changed needs none. */
  keys(): CopyKeys;
  /** Null: no copy may serve the request. */
  span: CopySpan | null;
  /** Whether finished documents may serve it, and be kept. */
  documents: boolean;
  /** Whether cached pages may serve it. */
  pages: boolean;
  /** Whether what is fetched may be kept for later requests. */
  keeps: boolean;
}

interface CopyRequest {
  url: string;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** Jobs keep their documents themselves: no cached documents are used or made for them. */
  isJob?: boolean;
  /** Given: the page is asked for, however new its copies are. */
  conditions?: object | undefined;
  /** Its pages are fetched again; what comes out of one is not kept. */
  archive?: { kind: "capture" | "replay" } | undefined;
}

/** The response may be private to this caller. */
export function isPersonal(url: string, options: ScrapeOptions): boolean {
  const isSigned = Object.keys(options.headers).length > 0 || holdsCredentials(url) || options.proxyUrl !== undefined;
  return isSigned || options.flow !== undefined || options.actions.length > 0 || options.profile !== undefined;
}

export function planCopyUse(
  { url, options, plan, isJob = false, conditions, archive }: CopyRequest,
  clock: Clock,
): CopyUse {
  const copies = usableCopies(options.formats);
  const isAllowed = copies !== "none" && !isPersonal(url, options);
  // Neither the page nor what was made of it is kept when somebody's data must not be.
  const isRedacted = options.redactPII !== false;
  const now = clock.now();
  const { maxAge, minAge = 0, zeroDataRetention, storeInCache } = options;
  let known: CopyKeys | null = null;
  const keys = () => {
    known ??= copyKeys(url, options, plan.model);
    return known;
  };
  return {
    keys,
    span:
      isAllowed && maxAge > 0 && conditions === undefined && archive === undefined
        ? { from: now - maxAge, to: minAge > 0 ? now - minAge : null }
        : null,
    // A cached document does not say where its page leads, and holds no picture but its path.
    documents: !isJob && !isRedacted && !plan.formats.outlinks && !(copies === "documents" && zeroDataRetention),
    pages: copies === "any",
    keeps: isAllowed && storeInCache && !isRedacted && archive?.kind !== "replay",
  };
}
