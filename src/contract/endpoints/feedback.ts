// Feedback on results.
import * as z from "zod";
import { idParams, senderKeys, success, uuidField, warning } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,79}$/i, "Must be a single word of letters, digits, - and _, at most 80 characters");
const maxMetadataBytes = 8192;

function isSmall(value: unknown): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes;
  } catch {
    // Nested too deeply to serialize: certainly not small.
    return false;
  }
}

function missingContent(most: number) {
  return z
    .array(
      z.strictObject({
        topic: z.string().min(1).max(200).describe("What was missing"),
        description: z.string().max(2000).optional().describe("Details"),
      }),
    )
    .max(most)
    .optional()
    .describe("What was missing");
}

const feedbackFields = {
  rating: z.enum(["good", "partial", "bad"]).describe("How useful the result was"),
  valuableSources: z
    .array(
      z.strictObject({
        url: z.string().max(8192).describe("URL of the result"),
        reason: z.string().max(2000).optional().describe("Why it was useful"),
      }),
    )
    .max(50)
    .optional()
    .describe("Results that were useful"),
  missingContent: missingContent(20),
  querySuggestions: z.string().max(2000).optional().describe("Queries that would have worked better"),
  issues: z.array(slug).max(50).optional().describe("Short labels of problems"),
  tags: z.array(slug).max(50).optional().describe("Short labels for grouping"),
  note: z.string().max(4000).optional().describe("Free text"),
  url: z.string().max(8192).optional().describe("URL the feedback is about"),
  pageNumbers: z.array(z.int().min(1)).max(10_000).optional().describe("Page numbers the feedback is about"),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(isSmall, `Must be at most ${maxMetadataBytes} bytes`)
    .optional()
    .describe("Additional data"),
  ...senderKeys,
};

const needs = {
  good: ["valuableSources"],
  partial: ["valuableSources", "missingContent"],
  bad: ["missingContent", "querySuggestions"],
} as const;

type SearchRating = Pick<
  z.output<z.ZodObject<typeof feedbackFields>>,
  "rating" | "valuableSources" | "missingContent" | "querySuggestions"
>;

/** Feedback on a search must contain something actionable. */
function checkSearchFeedback(body: SearchRating, context: z.RefinementCtx): void {
  const fields = needs[body.rating];
  if (fields.some((field) => (body[field]?.length ?? 0) > 0)) return;
  context.addIssue({
    code: "custom",
    path: [fields[0]],
    message: `The rating ${body.rating} needs ${fields.join(" or ")}`,
  });
}

const feedbackBody = z
  .strictObject({
    ...feedbackFields,
    missingContent: missingContent(50),
    endpoint: z.enum(["search", "scrape", "parse", "map"]).describe("Kind of request the feedback is about"),
    jobId: uuidField("Id of that request"),
  })
  .superRefine((body, context) => {
    if (body.endpoint === "search") checkSearchFeedback(body, context);
  });

const searchFeedbackBody = z.strictObject(feedbackFields).superRefine(checkSearchFeedback);
type SearchFeedback = z.output<typeof searchFeedbackBody> & z.output<typeof idParams>;

const response = z.object({
  success,
  feedbackId: z.string(),
  creditsRefunded: z.number(),
  alreadySubmitted: z.boolean().optional(),
  dailyCapReached: z.boolean().optional(),
  creditsRefundedToday: z.number().optional(),
  dailyRefundCap: z.number().optional(),
  warning,
});

const endpoint = section({ tag: "Other", group: "team", rateGroup: "scrape", response, notFound: "JOB_NOT_FOUND" });

export const feedbackEndpoints = [
  endpoint("POST /v2/feedback", "sendFeedback", "Send feedback on a result", { body: feedbackBody }),
  endpoint("POST /v2/search/{id}/feedback", "sendFeedback", "Send feedback on a search", {
    group: "search",
    params: idParams,
    body: searchFeedbackBody,
    toInput: ({ id, ...body }: SearchFeedback) => ({ ...body, endpoint: "search" as const, jobId: id }),
  }),
];
