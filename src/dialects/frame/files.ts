// Files for dialects: each is a parse of v2. Hooks of other services get every upload, so that texts of any kind pass through.
import { ServiceError } from "../../base/index.ts";
import type { Document, ParseTerms, UploadedFile } from "../../contract/index.ts";
import type { DialectCall } from "./dialect.ts";
import { v2Input } from "./v2-input.ts";

/** Files take longer than pages, and whoever hands one over waits for it. */
const timeout = 120_000;

/** `options`: those of a v2 parse. */
export async function parseFile(
  call: DialectCall,
  file: UploadedFile,
  options: object,
  terms: ParseTerms = {},
): Promise<Document> {
  const input = v2Input("parse", { file: withTextName(file, call), timeout, ...options });
  const { data } = await call.operations.parse({ ...input, ...terms }, call.caller, call.signal);
  return data;
}

/** The last part of a name, however it was encoded or whatever folders it names. */
export function plainName(name: string): string {
  return (decoded(name).split(/[/\\]/).at(-1) ?? "").replace(/\p{Cc}/gu, "").slice(0, 255);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|toml|javascript|typescript|sql|[\w.+-]*\+(?:json|xml)|x-(?:sh|yaml|python|httpd-php|ndjson))\b)/i;
/** Of source code and settings, which are no kind of document. */
const codeNames =
  /\.(?:ya?ml|toml|ini|cfg|conf|env|properties|rst|adoc|tex|srt|vtt|sql|graphql|proto|py|pyi|js|mjs|cjs|jsx|ts|mts|cts|tsx|java|kt|kts|scala|groovy|c|h|cc|cpp|cxx|hpp|hh|cs|fs|vb|go|rs|rb|php|pl|pm|lua|r|jl|m|swift|dart|hs|ml|clj|ex|exs|erl|elm|sh|bash|zsh|fish|ps1|bat|cmd|css|scss|sass|less|vue|svelte|astro|tf|hcl|gradle|cmake|makefile|dockerfile|diff|patch)$/i;

/**
 * A text, as its name says or else its type, is read as it is; bytes that are unmistakable count more than both, and files that
 * are no text are told apart by the operation.
 */
function withTextName(file: UploadedFile, { detectFile }: DialectCall): UploadedFile {
  const { filename, contentType, bytes } = file;
  const found = detectFile(file);
  const isText = codeNames.test(filename) || (found === null ? textTypes.test(contentType) : found.isPlain);
  if (!isText || Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).includes(0)) return file;
  const charset = /;\s*charset=[^;]+/i.exec(contentType)?.[0] ?? "";
  return { filename: `${filename || "file"}.txt`, contentType: `text/plain${charset}`, bytes };
}

/** What a reader says when a file has nothing to read in it. */
export const noText = "No extractable text";

export function requireText(text: string): string {
  if (text.trim() === "") throw new ServiceError("PARSE_FILE_EMPTY", noText);
  return text;
}
