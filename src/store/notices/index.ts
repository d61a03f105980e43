// What other rooms use of this folder.
export type { NewNotice, Notice } from "./notice-rows.ts";
export type { NotifyRow } from "./notify-entries.ts";
