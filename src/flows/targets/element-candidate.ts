// An element of a page as finding sees it.
import type { FlowTarget } from "../../contract/index.ts";

export interface Container {
  role: string;
  name: string;
}

export type FramePlace = NonNullable<FlowTarget["frame"]>[number];

export interface ElementCandidate {
  /** Empty for an element without a role. */
  role: string;
  name: string;
  label?: string;
  placeholder?: string;
  text?: string;
  near?: string;
  tag: string;
  inputType?: string;
  /** Named containers around it, the nearest first. */
  within: readonly Container[];
  /** Absent: the page itself. */
  frame?: readonly FramePlace[];
  /** A person can see it, and nothing covers it. */
  isReachable: boolean;
  isEnabled: boolean;
  /** Text can be put in. */
  isEditable?: boolean;
  autocomplete?: string;
  /** The attribute of that name. */
  nameAttribute?: string;
  href?: string;
  /** The same for elements of one form. */
  form?: string;
}

/** What a step does to its element. */
export type Use = "click" | "fill" | "select" | "check" | "upload" | "look";
