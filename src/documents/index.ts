export { FileFault, type FileFaultKind } from "./file-fault.ts";
export { type FileKind, fileKindList, fileKindRow, fileKinds } from "./kinds/file-kinds.ts";
export { identifyFile } from "./kinds/identify-file.ts";
export type { ParsedFile } from "./parsed-file.ts";
export { isReadable, type ReadFileOptions, readFile } from "./reading/read-file.ts";
