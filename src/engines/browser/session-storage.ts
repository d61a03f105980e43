// Cookies and local storage of a session: put in before its user comes, taken out at its end. Local storage can only be
// reached from a page of its origin, so an empty one is shown there without asking any server.
import type { BrowserContextOptions } from "playwright-core";
import type { DevtoolsClient } from "../../net/index.ts";

/** Cookies and local storage as they are kept between visits; it can be written as JSON. */
export type StorageState = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

export interface SessionStorage {
  write(state: StorageState): Promise<void>;
  /** What is there now, of the origins that were visited. */
  read(): Promise<StorageState>;
}

type Cookie = StorageState["cookies"][number];
type Origin = StorageState["origins"][number];

const maxOrigins = 100;
const emptyPage = Buffer.from("<!doctype html>").toString("base64");

/** Notes from now on which origins are visited. */
export async function openSessionStorage(client: DevtoolsClient): Promise<SessionStorage> {
  const visited = new Set<string>();
  const note = ({ targetInfo }: Record<string, unknown>) => {
    const { type, url } = targetInfo as { type: string; url: string };
    if (type === "page" && /^https?:/.test(url) && visited.size < maxOrigins) visited.add(new URL(url).origin);
  };
  client.on("Target.targetCreated", note);
  client.on("Target.targetInfoChanged", note);
  client.on("Fetch.requestPaused", ({ requestId }, sessionId) => {
    const answer = {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "content-type", value: "text/html" }],
      body: emptyPage,
    };
    // The page may be gone already.
    client.call("Fetch.fulfillRequest", answer, sessionId).catch(() => undefined);
  });
  await client.call("Target.setDiscoverTargets", { discover: true });

  /** Runs an expression on an empty page of each origin, one after the other. */
  async function visit<Result>(origins: readonly string[], expressionOf: (origin: string) => string) {
    const results: { origin: string; value: Result }[] = [];
    if (origins.length === 0) return results;
    const { targetId } = await client.call("Target.createTarget", { url: "about:blank", background: true });
    try {
      const attached = await client.call("Target.attachToTarget", { targetId, flatten: true });
      const sessionId = attached.sessionId as string;
      await client.call("Page.enable", {}, sessionId);
      await client.call("Fetch.enable", { patterns: [{ urlPattern: "*" }] }, sessionId);
      for (const origin of origins) {
        const { errorText } = await client.call("Page.navigate", { url: `${origin}/` }, sessionId);
        if (errorText !== undefined) continue;
        const { result } = await client.call(
          "Runtime.evaluate",
          { expression: expressionOf(origin), returnByValue: true },
          sessionId,
        );
        results.push({ origin, value: (result as { value: Result }).value });
      }
    } finally {
      await client.call("Target.closeTarget", { targetId });
    }
    return results;
  }

  return {
    async write({ cookies, origins }) {
      await client.call("Storage.setCookies", { cookies: cookies.map(toParameter) });
      const items = new Map(origins.map(({ origin, localStorage }) => [origin, localStorage]));
      await visit([...items.keys()].slice(0, maxOrigins), (origin) => {
        const pairs = JSON.stringify((items.get(origin) ?? []).map(({ name, value }) => [name, value]));
        return `for (const [name, value] of ${pairs}) localStorage.setItem(name, value)`;
      });
      // What was there before is there at the end, visited or not.
      for (const origin of items.keys()) visited.add(origin);
    },

    async read() {
      const { cookies } = await client.call("Storage.getCookies");
      const kept = await visit<Origin["localStorage"]>(
        [...visited].slice(0, maxOrigins),
        () => "Object.entries(localStorage).map(([name, value]) => ({ name, value }))",
      );
      return {
        cookies: (cookies as Cookie[]).map(toCookie),
        origins: kept
          .filter(({ value }) => Array.isArray(value) && value.length > 0)
          .map(({ origin, value }) => ({ origin, localStorage: value })),
      };
    },
  };
}

function toParameter({ expires, ...cookie }: Cookie): object {
  return expires >= 0 ? { ...cookie, expires } : cookie;
}

function toCookie({ name, value, domain, path, expires, httpOnly, secure, sameSite }: Cookie): Cookie {
  return { name, value, domain, path, expires, httpOnly, secure, sameSite: sameSite ?? "Lax" };
}
