// What other rooms use of this folder.
export type { NewNotice, StoredNotice } from "./stored-notices.ts";
export type { NotifyRow } from "./notify-entries.ts";
