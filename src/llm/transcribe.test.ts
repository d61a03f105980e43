import { describe, expect, it } from "vitest";
import { openModel, question } from "../../test/support/loopback-model.ts";
import { transcribeImage } from "./transcribe.ts";

const image = { type: "image/jpeg", bytes: new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]) } as const;
const encoded = Buffer.from(image.bytes).toString("base64");

describe("a model that is shown an image", () => {
  it.each(["openai", "anthropic", "google"] as const)(
    "gets it beside the words in the protocol of %s",
    async (protocol) => {
      const { model, asked } = await openModel(() => ({ text: "```md\n# Quay\n```" }), { protocol });
      const { teamId, allowance, maxOutputTokens, timeoutMs, signal } = question();
      const limits = { contextTokens: 1000, maxOutputTokens, timeoutMs };
      const told = await transcribeImage({ model, teamId, allowance, limits, signal }, image);
      expect(told).toEqual({ ok: true, markdown: "# Quay", isCutOff: false });
      expect(JSON.stringify(asked[0]?.body)).toContain(encoded);
      expect(asked[0]?.turns[0]).toContain("Copy the text of this page.");
    },
  );

  it("may find no text, or stop in the middle", async () => {
    const { model } = await openModel((_, index) =>
      index === 0 ? { text: "NO TEXT" } : { text: "Half a", isCutOff: true },
    );
    const { teamId, allowance, maxOutputTokens, timeoutMs, signal } = question();
    const reading = { model, teamId, allowance, limits: { contextTokens: 1000, maxOutputTokens, timeoutMs }, signal };
    expect(await transcribeImage(reading, image)).toEqual({ ok: true, markdown: "", isCutOff: false });
    expect(await transcribeImage(reading, image)).toEqual({ ok: true, markdown: "Half a", isCutOff: true });
    // Its tokens count, though the image is no text.
    expect(allowance.used.input).toBeGreaterThan(0);
  });
});
