// What other rooms use of this folder.

export type { NotifyRow } from "./notify-entries.ts";
export type { NewNotice, StoredNotice } from "./stored-notices.ts";
