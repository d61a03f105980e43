// The connection to the operator's mail server: to its host and port, and to nothing else.
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNet } from "../../test/support/site-server.ts";

describe("the socket of mail", () => {
  let server: Server;
  let port = 0;
  beforeEach(async () => {
    server = createServer((socket) => socket.end("220 mail.test\r\n"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    port = (server.address() as { port: number }).port;
  });
  afterEach(() => new Promise((done) => server.close(done)));

  const greetingOf = async (socket: Socket) => {
    let text = "";
    for await (const chunk of socket) text += chunk;
    return text;
  };

  it("leads to the host and port that the operator set, a private one too, which pages still may not reach", async () => {
    const net = openNet({ mailServer: { host: "127.0.0.1", port } });
    expect(await greetingOf(await net.openMailSocket())).toBe("220 mail.test\r\n");
    const signal = AbortSignal.timeout(10_000);
    const page = await net.fetch({ url: `http://127.0.0.1:${port}/`, signal });
    expect(page).toMatchObject({ ok: false, code: "URL_NOT_ALLOWED" });
    await net.close();
  });

  it("is refused where no mail server is set", async () => {
    const net = openNet();
    await expect(net.openMailSocket()).rejects.toThrow("SMTP_URL");
    await net.close();
  });
});
