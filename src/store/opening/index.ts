// What other rooms use of this folder.
export { openStore, type Store, type StoreOptions } from "./open-store.ts";
export type { Statements } from "./statements.ts";
