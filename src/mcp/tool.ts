// What a row of the table of tools is, and what several rows share.
import type { Trawl } from "../client/index.ts";
import type { ToolName } from "../contract/index.ts";

type Arguments = Record<string, unknown>;

/** The options of a page that tools show. */
export const pageOptions = [
  "formats",
  "onlyMainContent",
  "includeTags",
  "excludeTags",
  "waitFor",
  "timeout",
  "maxAge",
  "location",
];

/** What a tool works with. */
export interface ToolCall {
  client: Trawl;
  args: Arguments;
  signal: AbortSignal;
  /** Where long work is: pages done, and of how many. */
  onProgress(done: number, total: number): void;
  /** Only over stdio: the bytes of a file on the user's machine. */
  readFile: ((path: string) => Promise<Uint8Array>) | null;
}

export interface McpTool {
  name: ToolName;
  /** Names of other servers for the same tool. */
  aliases?: readonly string[];
  title: string;
  /** When to use it, when not, and an example. */
  description: string;
  /** The operation whose fields are the arguments. */
  operation: string;
  /** The fields that are shown; all others of the operation are understood, too. */
  shows: readonly string[];
  required: readonly string[];
  /** Arguments that the operation does not have. */
  own?: Readonly<Record<string, object>>;
  readOnly: boolean;
  openWorld: boolean;
  idempotent: boolean;
  /** True where the answer holds text of pages. */
  isWebContent: boolean;
  run(call: ToolCall): Promise<object>;
}
