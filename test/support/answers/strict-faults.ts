// Fails the test in which an answer was not as the official clients' types say. Vitest runs this before every file.
import { afterEach } from "vitest";

const holder = globalThis as { trawlStrictness?: { faults: Set<string> } | null };

afterEach(() => {
  const faults = holder.trawlStrictness?.faults;
  if (!faults || faults.size === 0) return;
  const found = [...faults].sort();
  faults.clear();
  throw new Error(`answers that the official clients' types do not allow:\n${found.join("\n")}`);
});
