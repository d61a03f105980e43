// The error for bytes that are not an image.
import { FileFault } from "../file/file-fault.ts";

export const undecodable = () => new FileFault("broken", "The image cannot be decoded");

/** For libraries that throw whatever they like. */
export function attempt<Value>(work: () => Value): Value {
  try {
    return work();
  } catch {
    throw undecodable();
  }
}
