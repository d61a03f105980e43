// Limits of extracts and agents.
import { setting, wholeNumber } from "./setting.ts";

export const extractSettings = {
  extractMaxUrls: setting(
    "EXTRACT_MAX_URLS",
    wholeNumber(1, 10_000),
    100,
    "Maximum number of URLs in one extract request. More are refused with 400.",
  ),
  extractMaxPages: setting(
    "EXTRACT_MAX_PAGES",
    wholeNumber(1, 1000),
    50,
    "Maximum number of pages that one extract reads. Further pages found by patterns and searches are skipped.",
  ),
  agentMaxPages: setting(
    "AGENT_MAX_PAGES",
    wholeNumber(1, 1000),
    50,
    "Maximum number of pages that one agent reads, and of steps that a language model plans for it, with high effort. " +
      "Medium effort gets half of it, low effort a fifth.",
  ),
  agentMaxSeconds: setting("AGENT_MAX_SECONDS", wholeNumber(1, 86_400), 300, "Time limit of one agent, in seconds."),
};
