// Bounds of extracts and agents.
import { setting, wholeNumber } from "../base/index.ts";

export const extractSettings = {
  extractMaxUrls: setting("EXTRACT_MAX_URLS", wholeNumber(1, 10_000), 100, "Addresses of one extract; more is 400."),
  extractMaxPages: setting(
    "EXTRACT_MAX_PAGES",
    wholeNumber(1, 1000),
    50,
    "Pages that one extract reads; what patterns and searches find beyond them is left out.",
  ),
  agentMaxPages: setting(
    "AGENT_MAX_PAGES",
    wholeNumber(1, 1000),
    50,
    "Pages that one agent reads, and steps that a language model plans for it, with the effort high; medium takes half of them, " +
      "low a fifth.",
  ),
  agentMaxSeconds: setting("AGENT_MAX_SECONDS", wholeNumber(1, 86_400), 300, "Time of one agent."),
};
