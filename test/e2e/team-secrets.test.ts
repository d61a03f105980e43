// Secrets through the public door: what is taken, what is refused, and that no value comes back.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

describe("secrets of a team", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(anyEngine, withoutBrowser);
  });
  afterAll(() => app.stop());

  const value = "correct horse battery staple";
  const put = (more: object, key = app.key) =>
    app.call("POST", "/v2/team/secrets", {
      key,
      body: { name: "shop-password", type: "text", value, hosts: ["shop.example"], ...more },
    });

  it("are stored, listed, replaced and deleted, and their values are never returned", async () => {
    const stored = await put({ hosts: ["Shop.Example", "shop.example", "LOGIN.example:8443"] });
    expect([stored.status, stored.body]).toEqual([
      200,
      {
        success: true,
        secret: {
          name: "shop-password",
          type: "text",
          hosts: ["shop.example", "login.example:8443"],
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          lastUsedAt: null,
        },
      },
    ]);
    await put({ name: "code", type: "totp", value: "otpauth://totp/x?secret=GEZDGNBV&digits=8" });
    const { body } = await app.get("/v2/team/secrets");
    expect(body.secrets.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      ["code", "totp"],
      ["shop-password", "text"],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/horse|GEZDGNBV/);
    expect((await app.call("DELETE", "/v2/team/secrets/code", {})).body).toEqual({ success: true });
    const gone = await app.call("DELETE", "/v2/team/secrets/code", {});
    expect([gone.status, gone.body.code]).toEqual([404, "SECRET_NOT_FOUND"]);
  });

  it("are those of their team alone", async () => {
    await put({ name: "mine" });
    expect((await app.get("/v2/team/secrets", { key: app.otherKey })).body.secrets).toEqual([]);
    expect((await app.call("DELETE", "/v2/team/secrets/mine", { key: app.otherKey })).status).toBe(404);
  });

  it.each([
    [{ name: "" }, ["name"]],
    [{ name: "a b" }, ["name"]],
    [{ name: "x".repeat(65) }, ["name"]],
    [{ type: "password" }, ["type"]],
    [{ value: "" }, ["value"]],
    [{ value: "x".repeat(4097) }, ["value"]],
    [{ hosts: [] }, ["hosts"]],
    [{ hosts: "shop.example" }, ["hosts"]],
    [{ hosts: Array.from({ length: 21 }, (_, place) => `h${place}.example`) }, ["hosts"]],
    [{ hosts: ["shop.example", "https://shop.example/"] }, ["hosts", 1]],
    [{ type: "totp", value: "no base32!" }, ["value"]],
  ])("are refused with the field's path: %j", async (wrong, path) => {
    const { status, body } = await put(wrong);
    expect([status, body.details[0].path]).toEqual([400, path]);
    expect(JSON.stringify(body)).not.toMatch(/horse|base32!/);
  });

  it("leave no trace in the log and the activity list", async () => {
    await put({ name: "traced", value: "very-secret-value-42" });
    expect(app.logLines.join("")).not.toContain("very-secret-value-42");
    expect(JSON.stringify((await app.get("/v2/team/activity")).body)).not.toContain("very-secret-value-42");
  });
});
