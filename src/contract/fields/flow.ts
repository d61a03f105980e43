// A flow: steps that were shown once and are repeated. It is data, never code.
import * as z from "zod";

const text = (most: number) => z.string().min(1).max(most);
const part = (description: string) => text(500).optional().describe(description);
export const parameterName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/, "Must be a name of letters, digits, - and _, at most 64");

/** The element of a step, by what a person sees. */
export interface FlowTarget {
  role?: string | undefined;
  name?: string | undefined;
  label?: string | undefined;
  placeholder?: string | undefined;
  text?: string | undefined;
  near?: string | undefined;
  tag?: string | undefined;
  inputType?: string | undefined;
  within?: { role?: string | undefined; name: string } | undefined;
  frame?: { name?: string | undefined; title?: string | undefined; url?: string | undefined }[] | undefined;
  position?: { index: number; of?: number | undefined } | undefined;
  css?: string | undefined;
  by?: "name" | "position" | undefined;
}

export const flowTarget: z.ZodType<FlowTarget, FlowTarget> = z
  .strictObject({
    role: part("ARIA role"),
    name: part("Accessible name"),
    label: part("Text of its label"),
    placeholder: part("Its placeholder"),
    text: part("Its visible text"),
    near: part("The text just before it"),
    tag: part("Name of the element"),
    inputType: part("Type of an input element"),
    within: z
      .strictObject({
        role: text(100).optional().describe("ARIA role of the container"),
        name: text(500).describe("Name of the container"),
      })
      .optional()
      .describe("The nearest named container around it"),
    frame: z
      .array(z.strictObject({ name: part("Name"), title: part("Title"), url: text(2048).optional().describe("URL") }))
      .min(1)
      .max(10)
      .optional()
      .describe("Frames around it, from the outside in"),
    position: z
      .strictObject({
        index: z.int().min(1).max(10_000).describe("Its place"),
        of: z.int().min(1).max(10_000).optional().describe("How many there were"),
      })
      .optional()
      .describe("Place among elements of equal role and name, from 1"),
    css: text(1024).optional().describe("A hint; it never decides alone"),
    by: z.enum(["name", "position"]).optional().describe("position: the n-th of its role in `within` is meant"),
  })
  .superRefine(({ role, name, label, placeholder, text: shown, near, by, position }, context) => {
    if ([role, name, label, placeholder, shown, near].every((each) => each === undefined))
      context.addIssue({ code: "custom", message: "A target needs a name, label, placeholder, text, near or role" });
    if (by === "position" && position === undefined)
      context.addIssue({ code: "custom", path: ["position"], message: "by: position needs a position" });
  })
  .meta({ id: "FlowTarget", description: "The element of a step, by what a person sees" });

export const stepTypes = [
  "navigate",
  "click",
  "doubleClick",
  "hover",
  "fill",
  "select",
  "check",
  "press",
  "upload",
  "dialog",
  "wait",
  "scroll",
  "back",
  "close",
] as const;
export type StepType = (typeof stepTypes)[number];

/** What each type needs beside its type. */
const needed: Partial<Record<StepType, readonly string[]>> = {
  navigate: ["url"],
  click: ["target"],
  doubleClick: ["target"],
  hover: ["target"],
  fill: ["target", "value"],
  select: ["target", "value"],
  check: ["target", "checked"],
  press: ["key"],
  upload: ["target", "value"],
  dialog: ["accept"],
  scroll: ["direction"],
};

export interface FlowStep {
  id?: string | undefined;
  type: StepType;
  url?: string | undefined;
  target?: FlowTarget | undefined;
  value?: string | string[] | undefined;
  checked?: boolean | undefined;
  key?: string | undefined;
  accept?: boolean | undefined;
  milliseconds?: number | undefined;
  direction?: "up" | "down" | undefined;
  pixels?: number | undefined;
  page?: number | undefined;
  optional?: boolean | undefined;
}

export const flowStep: z.ZodType<FlowStep, FlowStep> = z
  .strictObject({
    id: text(64).optional().describe("Given by the server unless sent"),
    type: z.enum(stepTypes).describe("What is done"),
    url: text(4096).optional().describe("Of navigate"),
    target: flowTarget.optional(),
    value: z
      .union([z.string().max(10_000), z.array(z.string().max(1000)).max(100)])
      .optional()
      .describe("Text, options by their text, or the answer to a prompt; {{name}} is a parameter"),
    checked: z.boolean().optional().describe("Of check: whether the box is ticked afterwards"),
    key: text(64).optional().describe("Key, with modifiers such as Control+A"),
    accept: z.boolean().optional().describe("How a dialog is answered"),
    milliseconds: z.int().min(1).max(30_000).optional().describe("Of wait"),
    direction: z.enum(["up", "down"]).optional().describe("Of scroll"),
    pixels: z.int().min(1).max(100_000).optional().describe("Of scroll: how far"),
    page: z.int().min(0).max(20).optional().describe("Number of the window in order of opening"),
    optional: z.boolean().optional().describe("Skipped when its target is not there"),
  })
  .superRefine((step, context) => {
    const fields: Record<string, unknown> = step;
    for (const name of needed[step.type] ?? [])
      if (fields[name] === undefined)
        context.addIssue({ code: "custom", path: [name], message: `${step.type} needs ${name}` });
    if (step.type === "wait" && (step.milliseconds === undefined) === (step.target === undefined))
      context.addIssue({ code: "custom", message: "wait needs either milliseconds or a target" });
    if (step.type === "upload" && !/^\{\{[A-Za-z_][\w-]*\}\}$/.test(String(step.value)))
      context.addIssue({ code: "custom", path: ["value"], message: "A file is a parameter: {{name}}" });
    if (/\{\{secret:/.test(step.url ?? ""))
      context.addIssue({ code: "custom", path: ["url"], message: "A secret cannot be part of a URL" });
    if (/\{\{secret:/.test(JSON.stringify(step.target ?? {})))
      context.addIssue({ code: "custom", path: ["target"], message: "A secret cannot be part of a target" });
    if (typeof step.value === "string" && /\{\{secret:/.test(step.value) && step.type !== "fill")
      context.addIssue({ code: "custom", path: ["value"], message: "A secret can only be typed into a field" });
  })
  .meta({ id: "FlowStep", description: "A step of a flow" });

/** As it is kept: each has an id. */
export type KeptStep = FlowStep & { id: string };

export const maxFlowSteps = 200;
export const flowSteps = z.array(flowStep).min(1).max(maxFlowSteps);

export type FlowParameters = Record<
  string,
  { type: "string" | "file"; default?: string | undefined; required: boolean }
>;
type SentParameters = Record<
  string,
  { type?: "string" | "file" | undefined; default?: string | undefined; required?: boolean | undefined }
>;

export const flowParameters: z.ZodType<FlowParameters, SentParameters> = z.record(
  parameterName,
  z.strictObject({
    type: z.enum(["string", "file"]).default("string"),
    default: z.string().max(10_000).optional(),
    required: z.boolean().default(false),
  }),
);

/** A flow without what the server adds: what an export holds. */
export const flowContent = z.looseObject({
  name: text(100).optional(),
  description: z.string().max(2000).optional(),
  url: z.string().max(4096).optional(),
  parameters: flowParameters.default({}),
  steps: flowSteps,
});

const file = z.strictObject({
  filename: text(255),
  content: z
    .string()
    .max(8_000_000)
    .regex(/^[A-Za-z0-9+/=\s]*$/, "Must be base64")
    .describe("base64"),
  contentType: text(200).optional(),
});

interface FlowFile {
  filename: string;
  content: string;
  contentType?: string | undefined;
}

/** Values of a run. */
export type FlowValues = Record<string, string | number | boolean | FlowFile>;

export const flowValues: z.ZodType<FlowValues, FlowValues> = z
  .record(z.string().max(64), z.union([z.string().max(10_000), z.number(), z.boolean(), file]))
  .refine((values) => Object.keys(values).length <= 200, "At most 200 parameters");

/** A flow in other work: as an option of a scrape. */
export interface FlowUse {
  id: string;
  parameters?: FlowValues | undefined;
  version?: number | undefined;
  mode: "on" | "before";
}

export const flowUse: z.ZodType<FlowUse, Omit<FlowUse, "mode"> & { mode?: "on" | "before" | undefined }> = z
  .strictObject({
    id: z.string().min(1).max(64).describe("Id of the flow"),
    parameters: flowValues.optional().describe("Values of the parameters, by name"),
    version: z.int().min(1).optional().describe("An earlier version; the latest unless given"),
    mode: z
      .enum(["on", "before"])
      .default("on")
      .describe(
        "on: its steps are done on the page; before: it runs first, once per job, and the page is opened after it",
      ),
  })
  .meta({ id: "FlowUse", description: "A flow that is run on or before the page" });
