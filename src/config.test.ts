import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig, settingSections } from "./config.ts";

const settings = Object.values(settingSections).flatMap((section) => Object.values(section));

describe("settings", () => {
  it("have working defaults", () => {
    expect(loadConfig({})).toMatchObject({
      port: 3002,
      host: "127.0.0.1",
      auth: "keys",
      databaseUrl: null,
      creditsPerMonth: 0,
      teamConcurrency: 50,
      rateLimitScrape: 500,
      maxBodyBytes: 10_485_760,
    });
  });

  it("bind to every address once there are keys, and to the one that is set always", () => {
    expect(loadConfig({ TRAWL_API_KEYS: "a:b" }).host).toBe("0.0.0.0");
    expect(loadConfig({ TRAWL_API_KEYS: "a:b", HOST: "127.0.0.1" }).host).toBe("127.0.0.1");
    expect(loadConfig({ TRAWL_API_KEYS: "a:b", TRAWL_AUTH: "none" }).host).toBe("127.0.0.1");
  });

  it("count an empty variable as absent and cannot be changed later", () => {
    const config = loadConfig({ PORT: " ", HOST: "" });
    expect(config.port).toBe(3002);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });

  it("read keys with and without a limit", () => {
    expect(loadConfig({ TRAWL_API_KEYS: " acme:fc-1 , lab:k_2.x:60,lab:k3:0" }).apiKeys).toEqual([
      { team: "acme", key: "fc-1", requestsPerMinute: null },
      { team: "lab", key: "k_2.x", requestsPerMinute: 60 },
      { team: "lab", key: "k3", requestsPerMinute: 0 },
    ]);
  });

  it.each([
    ["PORT", "-1"],
    ["PORT", "3002.5"],
    ["PORT", "1e3"],
    ["HOST", "not a host"],
    ["PUBLIC_URL", "trawl.example.com"],
    ["PUBLIC_URL", "ftp://trawl.example.com"],
    ["TRUST_PROXY", "yes"],
    ["CORS_ORIGINS", "app.example.com"],
    ["CORS_ORIGINS", "https://app.example.com/path"],
    ["LOG_LEVEL", "INFO"],
    ["TRAWL_SECRET", "short"],
    ["TRAWL_API_KEYS", "a"],
    ["TRAWL_API_KEYS", "a:b:c"],
    ["TRAWL_API_KEYS", "a:key with spaces"],
    ["MAX_JSON_DEPTH", "0"],
  ])("%s=%s is refused in one sentence that names it", (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} takes .+\\.$`));
  });

  it("do not open the mode without keys to every web page", () => {
    expect(() => loadConfig({ TRAWL_AUTH: "none", CORS_ORIGINS: "*" })).toThrow(/^CORS_ORIGINS takes no \*/);
    expect(loadConfig({ CORS_ORIGINS: "*" }).corsOrigins).toEqual(["*"]);
  });

  it("want both halves of Google's search", () => {
    expect(() => loadConfig({ GOOGLE_SEARCH_KEY: "k" })).toThrow(/^GOOGLE_SEARCH_KEY and GOOGLE_SEARCH_CX must be set/);
    expect(loadConfig({ GOOGLE_SEARCH_KEY: "k", GOOGLE_SEARCH_CX: "c" })).toMatchObject({ googleSearchCx: "c" });
  });

  it("are all documented, each once", () => {
    const page = readFileSync(new URL("../docs/self-hosting.md", import.meta.url), "utf8");
    for (const { env } of settings) expect(page.split(`| \`${env}\` |`)).toHaveLength(2);
    expect(new Set(settings.map(({ env }) => env)).size).toBe(settings.length);
  });
});
