// Mouse and keyboard input from the interactive live view. Positions are fractions of the picture's width and height.
import * as z from "zod";

const part = z.number().min(0).max(1);
/** Alt 1, Control 2, Meta 4, Shift 8. */
const modifiers = z.int().min(0).max(15).default(0);
const pixels = z.number().min(-10_000).max(10_000);

export const liveViewInput = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("mouse"),
    action: z.enum(["move", "down", "up"]),
    x: part,
    y: part,
    button: z.enum(["none", "left", "middle", "right"]).default("none"),
    clickCount: z.int().min(0).max(3).default(0),
    modifiers,
  }),
  z.strictObject({ type: z.literal("wheel"), x: part, y: part, deltaX: pixels, deltaY: pixels, modifiers }),
  z.strictObject({
    type: z.literal("key"),
    action: z.enum(["down", "up"]),
    key: z.string().min(1).max(32),
    code: z.string().max(32).default(""),
    keyCode: z.int().min(0).max(255).default(0),
    modifiers,
  }),
  z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(5000) }),
  // The answer to a dialog of the page: alert, confirm, prompt or beforeunload.
  z.strictObject({ type: z.literal("answer"), accept: z.boolean(), text: z.string().max(5000).default("") }),
]);

export type LiveViewInput = z.output<typeof liveViewInput>;
