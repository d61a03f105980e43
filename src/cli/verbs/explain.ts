// `trawl explain`: the entry of an error code, from the table that comes with the program. It asks no server.
import {
  type ErrorCode,
  type ErrorHelp,
  errorCharges,
  errorPage,
  errorTable,
  loadErrorHelp,
} from "../../base/index.ts";
import { loadConfig } from "../../config.ts";
import type { Invocation } from "../service/invocation.ts";
import { didYouMean, nearestNames } from "../service/nearest-names.ts";
import { localUrl } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printable, printRows, toText } from "../terminal/printing.ts";

const codes = Object.keys(errorTable) as ErrorCode[];

export async function explain({ words: [word], flags: { json, pretty } }: Invocation): Promise<void> {
  const help = await loadErrorHelp();
  if (word === undefined) {
    const rows = codes.map((code) => ({ code, status: errorTable[code].status, happened: help[code].happened }));
    return json ? print(toText(rows, pretty)) : printRows(rows);
  }
  const code = findCode(word);
  const entry = {
    code,
    ...errorTable[code],
    ...help[code],
    charge: errorCharges[help[code].charge],
    link: linkTo(code),
  };
  print(json ? toText(entry, pretty) : textOf(entry));
}

function findCode(word: string): ErrorCode {
  const wanted = word.trim().toUpperCase().replaceAll("-", "_");
  const found = codes.find((code) => code.toUpperCase() === wanted);
  if (found !== undefined) return found;
  const shown = codes.map((code) => code.toUpperCase());
  const near = nearestNames(wanted, shown);
  const named = near.length > 0 || wanted.length < 4 ? near : shown.filter((code) => code.includes(wanted));
  throw new UsageError(
    `Unknown error code: ${printable(word)}.${didYouMean(named)} trawl explain without a code lists all codes.`,
  );
}

/** Where a server with these settings has the entry; its path alone when the settings cannot be read. */
function linkTo(code: ErrorCode): string {
  try {
    const config = loadConfig();
    return `${config.apiUrl ?? config.publicUrl ?? localUrl(config)}${errorPage(code)}`;
  } catch {
    return errorPage(code);
  }
}

interface Entry extends Omit<ErrorHelp, "charge"> {
  code: ErrorCode;
  status: number;
  retry: boolean;
  message: string;
  charge: string;
  link: string;
}

function textOf({ code, status, retry, message, happened, causes, fix, charge, link }: Entry): string {
  return [
    `${code} (status ${status})\n${message}`,
    `What happened: ${happened}${retry ? " The same request may succeed later." : ""}`,
    ["Usual causes:", ...causes.map((cause) => `- ${cause}`)].join("\n"),
    `What to do: ${fix}`,
    `Credits: ${charge}`,
    link,
  ].join("\n\n");
}
