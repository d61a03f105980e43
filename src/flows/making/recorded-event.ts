// What happened in the pages of a session, in order: steps of a flow and the events of a recording are made of the same stream.
import type { FlowTarget } from "../../contract/index.ts";

export const recordedTypes = [
  "navigate",
  "back",
  "click",
  "doubleClick",
  "hover",
  "input",
  "select",
  "check",
  "key",
  "upload",
  "scroll",
  "dialog",
  "window",
  "download",
  "console",
] as const;

export interface RecordedEvent {
  /** Milliseconds since the recording began. */
  at: number;
  /** The browser's id of the window. */
  pageId: string;
  /** Number of the window in order of opening. */
  page: number;
  type: (typeof recordedTypes)[number];
  url?: string;
  target?: FlowTarget;
  /** Text of a field, options, a message. Absent for what must not be kept: see `isSecret`. */
  value?: string | string[];
  /** Typed into a password field or one for a code: its text was never taken. */
  isSecret?: boolean;
  checked?: boolean;
  key?: string;
  accept?: boolean;
}
