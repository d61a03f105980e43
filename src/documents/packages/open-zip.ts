import { ZipArchive, type ZipLimits } from "../../base/index.ts";
import { FileFault } from "../file/file-fault.ts";

const officeLimits: ZipLimits = { totalBytes: 500 * 1024 * 1024, entries: 2000 };
export const archiveLimits: ZipLimits = { totalBytes: 100 * 1024 * 1024, entries: 2000 };

/** The entries of an office file or an archive; what cannot be read is the fault of the file. */
export function openZip(bytes: Uint8Array, limits = officeLimits): ZipArchive {
  return new ZipArchive(bytes, limits, (kind, message) => new FileFault(kind, message));
}
