export { createNodeCalls } from "./calls.ts";
export { createDirectory, type Role } from "./directory.ts";
export { createNodeDoor } from "./door.ts";
export { createNodeBrowser } from "./node-browser.ts";
export { createNodeKey } from "./node-key.ts";
export { createRenderHandler } from "./remote-render.ts";
export { createCallHandler, createSessionRoutes, handleTunnel, type SessionCalls } from "./session-routes.ts";
