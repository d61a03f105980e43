import { describe, expect, it } from "vitest";
import { judgeCommand } from "./devtools-rules.ts";

const judge = (method: string, params: object = {}) => judgeCommand({ id: 1, method, params });

describe("a command of the debugging protocol", () => {
  it.each([
    ["Page.navigate", { url: "https://example.com/" }],
    ["Page.navigate", { url: "http://127.0.0.1/" }],
    ["Page.navigate", { url: "not an address" }],
    ["Target.createTarget", { url: "about:blank" }],
    ["Target.createTarget", { url: "data:text/html,hello" }],
    ["Target.createBrowserContext", { proxyServer: "direct://" }],
    ["Runtime.evaluate", { expression: "location = 'file:///etc/passwd'" }],
    ["Debugger.setBreakpointByUrl", { url: "file:///a.js", lineNumber: 1 }],
    ["Network.setCookie", { name: "a", value: "b", url: "https://example.com/" }],
    ["Input.dispatchDragEvent", { type: "drop", data: { items: [] } }],
  ])("%s %j goes on as it is", (method, params) => {
    expect(judge(method, params)).toEqual({ command: { id: 1, method, params } });
  });

  it.each([
    ["Page.navigate", { url: "file:///etc/passwd" }],
    ["Page.navigate", { url: "\tfi\nle:///etc/passwd" }],
    ["Page.navigate", { url: "chrome://settings" }],
    ["Target.createTarget", { url: "view-source:file:///" }],
    ["Target.createTarget", { url: "devtools://devtools/x" }],
    ["Network.loadNetworkResource", { url: "file:///etc/passwd" }],
    ["Fetch.continueRequest", { url: "file:///etc/passwd" }],
    ["Target.sendMessageToTarget", { message: "{}" }],
    ["Target.exposeDevToolsProtocol", {}],
    ["Target.setRemoteLocations", {}],
    ["Target.openDevTools", {}],
    ["DOM.setFileInputFiles", { files: ["/etc/passwd"] }],
    ["Browser.executeBrowserCommand", {}],
    ["Tethering.bind", { port: 1 }],
    ["Extensions.loadUnpacked", { path: "/" }],
    ["PWA.launchFilesInApp", { files: ["/etc/passwd"] }],
    ["Input.dispatchDragEvent", { data: { files: ["/etc/passwd"] } }],
  ])("%s %j is refused", (method, params) => {
    expect(judge(method, params)).toEqual({ refusal: expect.any(String) });
  });

  it.each(["Browser.setDownloadBehavior", "Page.setDownloadBehavior"])(
    "%s is turned into a refusal of downloads",
    (method) => {
      const params = { behavior: "allowAndName", browserContextId: "x", downloadPath: "/", eventsEnabled: true };
      expect(judge(method, params)).toEqual({
        command: { id: 1, method, params: { behavior: "deny", browserContextId: "x", eventsEnabled: true } },
      });
    },
  );

  it("without a method, or with invalid parameters, does no harm", () => {
    expect(judgeCommand({ id: 1 })).toEqual({ refusal: expect.any(String) });
    expect(judgeCommand({ method: 5 })).toEqual({ refusal: expect.any(String) });
    expect(judgeCommand({ method: "Page.navigate", params: null })).toHaveProperty("command");
    expect(judgeCommand({ method: "Page.navigate", params: { url: ["file:///"] } })).toHaveProperty("command");
  });
});
