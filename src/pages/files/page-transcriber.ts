// Pages that are images, read by the operator's language model. Where it fails, the recognizer reads the rest.
import { createLazy, type Trace } from "../../base/index.ts";
import type { Transcribe } from "../../documents/index.ts";
import type { Asker, LanguageModel, ModelFailure } from "../../llm/index.ts";
import { modelWarning } from "../../text/index.ts";

export interface PageTranscriber {
  transcribe: Transcribe;
  /** Sentences about what it did not read. */
  warnings(): string[];
  /** False when a later request may get more from the model. */
  isFinal(): boolean;
}

/** Of the time that is left, what the recognizer may need when the model takes too long. */
const reserveShare = 0.3;
const longestReserveMs = 10_000;

export function createPageTranscriber(model: LanguageModel, asker: Asker, trace: Trace): PageTranscriber {
  const timeLeft = asker.endsAt - performance.now();
  const endsAt = asker.endsAt - Math.min(longestReserveMs, timeLeft * reserveShare);
  const session = createLazy(() => model.open({ ...asker, endsAt }));
  let failure: { cause: ModelFailure; page: number } | null = null;
  const cutOff: number[] = [];

  async function ask(image: Uint8Array, page: number): Promise<string | null> {
    const use = await session.open();
    const told = await use.traced(trace, { page }, () => use.transcribeImage({ type: "image/jpeg", bytes: image }));
    if (!told.ok) {
      failure = { cause: told, page };
      return null;
    }
    if (told.isCutOff) cutOff.push(page);
    return told.markdown;
  }

  return {
    // What failed once is not tried again for every page of a long file.
    transcribe: async (image, page) => (failure ? null : ask(image, page)),
    warnings: () => [
      ...(failure ? [modelWarning(failure.cause, `Images from page ${failure.page} on were read without it.`)] : []),
      ...(cutOff.length > 0 ? [`The language model's text ends in the middle on page ${cutOff.join(", ")}`] : []),
    ],
    isFinal: () => failure === null,
  };
}
