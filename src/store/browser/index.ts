// What other rooms use of this folder.
export type { FlowRow, FlowRunRow, FlowVersionRow } from "./flows.ts";
export type { ProfileWriter } from "./profiles.ts";
export type { RecordingPart, RecordingRow } from "./recordings.ts";
export type { NewSession, SessionEnd, SessionRow } from "./sessions.ts";
