export { createCancellations } from "./cancellations.ts";
export { createMcpFace, type McpFace } from "./http-face.ts";
export type { Readings } from "./readings.ts";
export { serveStdio } from "./stdio.ts";
