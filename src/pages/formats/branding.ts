import { brandMannerSchema, readBrandManner } from "../../contract/index.ts";
import { modelWarning } from "../../text/index.ts";
import { type PageBranding, readLookText } from "./branding-script.ts";
import type { PageFormat } from "./page-format.ts";

const question = {
  task: "How does the brand of this page speak, and whom does it address?",
  query: "about us mission welcome customers products",
  role: {
    task: "You describe the brand behind a web page by the way its text is written.",
    answer: "Judge by the page alone. What it gives no sign of is null. Texts are a few words in English.",
  },
};
const unsaid = "The output branding has no tone and no personality.";

export const branding: PageFormat<"branding"> = {
  browserTasks: () => ({ scripts: { branding: readLookText } }),
  fromPage(page) {
    const found = "scripts" in page ? (page.scripts.branding as PageBranding | undefined) : undefined;
    return found ? { branding: found } : { warning: "Branding could not be extracted from this page." };
  },
  order: 2,
  asksOnce: true,
  readsText: "with a model",
  async make(_format, { document: { branding: look }, open, url, text, trace }) {
    if (!look || !open || text.trim() === "") return { outputs: {} };
    const use = await open();
    const { shown, ...words } = use.buildPrompt({ ...question, pages: [{ url, text }] });
    const wanted = { schema: brandMannerSchema(), check: () => [] };
    const answer = await use.traced(trace, { output: "branding" }, () => use.fill(words, wanted));
    if (!answer.ok) return { outputs: {}, warnings: [modelWarning(answer, unsaid)], isFinal: false };
    const support = use.createSupport(shown);
    const clean = (said: string) => use.examineWords(said, { shown, support, asked: "" }).text;
    const manner = readBrandManner(answer.value, clean);
    const warnings = Object.keys(manner).length > 0 ? [] : [`The language model could not tell. ${unsaid}`];
    return { outputs: { branding: { ...look, ...manner } }, warnings };
  },
  // A cached page was rendered once and is no longer open.
  copies: () => "documents",
  withoutBrowser: "SCRAPE_BRANDING_NOT_SUPPORTED",
};
