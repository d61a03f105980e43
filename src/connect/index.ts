// Tools of others and the lines that point each of them to this server. docs/connect.md, docs/dialects.md, the page /connect and
// the dashboard show them. In the lines, URL is the server's base URL, HOST its host and port, KEY an API key, TEAM a team's name.
import tools from "./connected-tools.json" with { type: "json" };

export interface ConnectedTool {
  tool: string;
  /** What it is used for here; '' where the tool has one use. */
  use: string;
  /** Dialects, "v2" for the API itself, or "mcp". */
  speaks: string;
  /** What to paste, one line each. */
  lines: readonly string[];
  /**
   * client: a test or `npm run prove -- dialects` runs the tool's own package. requests: a test sends what its code sends. none:
   * taken from its documentation and not tested.
   */
  tested: "client" | "requests" | "none";
}

export const connectedTools = tools as readonly ConnectedTool[];
