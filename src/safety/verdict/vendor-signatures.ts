// The signatures by which pages of vendors are recognized, in the order in which they are tried. They are data: a new one is a
// row in the JSON file of its kind.

import { patternOf } from "../patterns/stored-pattern.ts";
import challenges from "./challenge-signatures.json" with { type: "json" };
import firewalls from "./firewall-signatures.json" with { type: "json" };
import hosts from "./host-signatures.json" with { type: "json" };
import parked from "./parked-signatures.json" with { type: "json" };
import type { Signature } from "./signature.ts";

/** A row as it is stored: patterns are strings, and "refusal" is the list of statuses with which the file's vendors refuse. */
type StoredSignature = Partial<Record<keyof Signature, string | number | readonly (string | number)[]>>;

interface SignatureFile {
  refusals?: readonly number[];
  signatures: readonly StoredSignature[];
}

const patternFields = new Set(["title", "text", "whole", "source", "code", "names", "refresh"]);

export const vendorSignatures: readonly Signature[] = [challenges, firewalls, hosts, parked].flatMap(readSignatures);

function readSignatures({ refusals, signatures }: SignatureFile): Signature[] {
  return signatures.map((row) => {
    const fields = Object.entries(row).map(([name, value]) => {
      if (patternFields.has(name)) return [name, patternOf(String(value))];
      if (name === "header") return [name, [(value as string[])[0], patternOf((value as string[])[1] ?? "")]];
      return [name, value === "refusal" ? refusals : value];
    });
    return Object.fromEntries(fields) as Signature;
  });
}
