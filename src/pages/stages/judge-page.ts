import { isBlocked, type PageVerdict } from "../../safety/index.ts";
import type { PageFailure } from "../record/page-reading.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { Parsed } from "./parse-content.ts";

export interface Judged {
  /** Scripts would have filled it in, and none ran. */
  lacksText: boolean;
}

/** Ends what is not the page: a block page, and where another attempt may bring more, a consent page or an empty shell. */
export function judgePage({
  content,
  verdict,
  wantsBetter,
  source,
}: Parsed & Pick<EnteredPage, "wantsBetter" | "source">): StageResult<Judged> {
  if (verdict && isBlocked(verdict.state) && source !== "stored") return notThePage(verdict);
  const lacksText = content?.result.lacksText ?? false;
  if (wantsBetter && content) {
    if (lacksText) return notThePage({ state: "empty_shell" });
    if (verdict?.state === "consent_wall") return notThePage(verdict);
  }
  return { lacksText };
}

/** Nothing of it is returned. */
function notThePage(verdict: PageVerdict): PageFailure {
  return { ok: false, code: "SCRAPE_SITE_BLOCKED", verdict };
}
