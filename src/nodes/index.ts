export { createNodeCalls, type NodeCalls } from "./calls.ts";
export { createDirectory, type Directory, type Role } from "./directory.ts";
export { createNodeDoor, type NodeDoor } from "./door.ts";
export { createNodeBrowser, type NodeBrowser } from "./node-browser.ts";
export { createNodeKey } from "./node-key.ts";
export { createRenderHandler } from "./remote-render.ts";
export { createCallHandler, createSessionRoutes, handleTunnel, type SessionCalls } from "./session-routes.ts";
