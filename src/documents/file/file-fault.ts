/** Why a file cannot be read; the runner turns it into the error of the request. */
export type FileFaultKind = "encrypted" | "broken" | "empty" | "limit" | "unsupported";

export class FileFault extends Error {
  readonly kind: FileFaultKind;

  constructor(kind: FileFaultKind, message: string) {
    super(message);
    this.name = "FileFault";
    this.kind = kind;
  }
}
