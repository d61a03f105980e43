// Channels that take the connection and then say nothing, and those that may not be reached.
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChannelServer } from "../../../test/support/channel-server.ts";
import { openNet } from "../../../test/support/site-server.ts";
import { createMailer } from "../../adapters/index.ts";
import { type ChannelName, notifyChannels } from "../../contract/index.ts";
import type { Net } from "../../net/index.ts";
import { createSealer } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createNotifyEntries } from "./notify-entries.ts";
import { createNoticeSender } from "./send-notice.ts";

const sealer = createSealer("a secret of the tests, long enough to be one");
const message = { id: "id", title: "Shop failed", blocks: [], level: "trouble", link: "" } as const;
const names = Object.keys(notifyChannels) as ChannelName[];

describe("an attempt at a channel", () => {
  let services: Awaited<ReturnType<typeof startChannelServer>>;
  let silent: Server;
  const nets: Net[] = [];
  /** The second may not reach this machine. */
  let senders: ReturnType<typeof createNoticeSender>[];
  beforeAll(async () => {
    services = await startChannelServer();
    silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
    const { port } = silent.address() as { port: number };
    senders = ["127.0.0.1", ""].map((allow) => {
      const net = openNet({ allow, mailServer: { host: "127.0.0.1", port } });
      nets.push(net);
      return createNoticeSender({
        net,
        mailer: createMailer({ net }, { url: `smtp://127.0.0.1:${port}`, from: "trawl@example.com" }),
        entries: createNotifyEntries({ sealer } as OperationParts),
        ...{ webhookSecret: null, unsubscribeUrl: () => undefined, write: async () => null },
        store: {} as OperationParts["store"],
      });
    });
  });
  afterAll(async () => {
    await Promise.all(nets.map((net) => net.close()));
    await services.close();
    silent.close();
  });

  function send(place: number, channel: ChannelName, ms: number) {
    const entry = channel === "email" ? { channel, to: [] } : services.entries[channel];
    const sealed = sealer.seal(JSON.stringify({ ...entry, id: "id", failures: 3 }), "notify entry");
    const about = { id: "id", teamId: "team", ownerId: "team", baseUrl: "", place: 0, shown: "{}", createdAt: 0 };
    const row = { ...about, channel, sealed };
    return senders[place]?.send(row, message, "ops@example.com", AbortSignal.timeout(ms));
  }

  it.each(names)("that hangs ends when its time is over: %s", async (channel) => {
    services.faults.splice(0, 1, "hang");
    const who = channel === "email" ? "mail server" : "channel";
    expect(await send(0, channel, 100)).toMatchObject({ status: null, error: `The ${who} did not answer in time` });
  });

  it.each(names.filter((name) => name !== "email"))(
    "that may not be reached ends without a request, and is the last: %s",
    async (channel) => {
      const before = services.sent.length;
      const answer = await send(1, channel, 60_000);
      expect(answer).toMatchObject({ status: null, error: expect.stringContaining("not allowed"), isFinal: true });
      expect(services.sent.length).toBe(before);
    },
  );
});
