// Channels that take the connection and then say nothing.
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
import { createNoticeSender, type NoticeSender } from "./send-notice.ts";

const sealer = createSealer("a secret of the tests, long enough to be one");
const message = { id: "id", title: "Shop failed", blocks: [], level: "trouble", link: "" } as const;

describe("an attempt at a channel that hangs", () => {
  let services: Awaited<ReturnType<typeof startChannelServer>>;
  let silent: Server;
  let net: Net;
  let sender: NoticeSender;
  beforeAll(async () => {
    services = await startChannelServer();
    silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
    const { port } = silent.address() as { port: number };
    net = openNet({ allow: "127.0.0.1", mailServer: { host: "127.0.0.1", port } });
    sender = createNoticeSender({
      net,
      mailer: createMailer({ net }, { url: `smtp://127.0.0.1:${port}`, from: "trawl@example.com" }),
      entries: createNotifyEntries({ sealer } as OperationParts),
      ...{ webhookSecret: null, unsubscribeUrl: () => undefined, write: async () => null },
      store: {} as OperationParts["store"],
    });
  });
  afterAll(async () => {
    await net.close();
    await services.close();
    silent.close();
  });

  it.each(Object.keys(notifyChannels) as ChannelName[])("%s ends when its time is over", async (channel) => {
    services.faults.splice(0, 1, "hang");
    const entry = channel === "email" ? { channel, to: [] } : services.entries[channel];
    const sealed = sealer.seal(JSON.stringify({ ...entry, id: "id", failures: 3 }), "notify entry");
    const about = { id: "id", teamId: "team", ownerId: "team", baseUrl: "", place: 0, shown: "{}", createdAt: 0 };
    const answer = await sender.send(
      { ...about, channel, sealed },
      message,
      "ops@example.com",
      AbortSignal.timeout(100),
    );
    const who = channel === "email" ? "mail server" : "channel";
    expect(answer).toMatchObject({ status: null, error: `The ${who} did not answer in time` });
  });
});
