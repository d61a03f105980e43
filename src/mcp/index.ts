export { createMcpFace, type McpFace } from "./http-face.ts";
export { serveStdio } from "./stdio.ts";
