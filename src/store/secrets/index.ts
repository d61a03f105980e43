// What other rooms use of this folder.
export { isOpenToOthers } from "./data-folder.ts";
export { createSealer, type Sealer } from "./sealing.ts";
export { readOrCreateSecret } from "./secret-file.ts";
