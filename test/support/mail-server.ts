// A real SMTP server on loopback, which keeps what it takes and can refuse some of it.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Email {
  from: string;
  to: string[];
  text: string;
}

/** Its user is `trawl` with the password `p@ss`. */
export async function openMailServer(emails: Email[], refusals: { left: number }) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, done) =>
      username === "trawl" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong password")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refusals.left > 0) {
          refusals.left -= 1;
          return done(new Error("try later"));
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const text = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "");
        emails.push({ from, to: rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise<void>((done) => void server.close(() => done())) };
}
