export { ZipArchive, type ZipLimits } from "./zip-archive.ts";
export { createZip } from "./zip-writer.ts";
