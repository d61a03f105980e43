// The recording of a browser session, or of a flow's run.
import * as z from "zod";
import { success, time } from "./common-fields.ts";

const at = z.int().describe("Milliseconds since the beginning");
const pageId = z.string();

export const replay = z
  .object({
    success,
    id: z.string(),
    status: z.enum(["recording", "ready"]),
    durationMs: z.int(),
    bytes: z.int().describe("Size of the pictures"),
    truncated: z.boolean().describe("Pictures were left out because there was no room for more"),
    expiresAt: time,
    replayUrl: z.string().describe("Page that plays the recording. Its token opens this recording only"),
    pages: z.array(
      z.object({ pageId, url: z.string(), title: z.string(), from: z.int(), to: z.int(), frames: z.int() }),
    ),
    frames: z.array(z.object({ at, pageId, url: z.string(), width: z.int(), height: z.int() })),
    events: z.array(
      z.object({
        at,
        pageId,
        type: z.enum(["navigate", "click", "input", "select", "key", "dialog", "window", "download", "console"]),
        url: z.string().optional(),
        target: z.object({ role: z.string().optional(), name: z.string().optional() }).optional(),
        value: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "Replay", description: "Pictures and events of a recorded session" });
