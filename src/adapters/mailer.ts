// Sends email through the operator's mail server. Its package is loaded with the first email; its sockets are those of `net`,
// which lead to that server's host and port and nowhere else.
import type { Net } from "../net/index.ts";

export interface MailerOptions {
  /** smtp://user:password@host:587 or smtps://host:465. */
  url: string;
  from: string;
}

interface Email {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for every attempt, so that mail servers and readers see one email. */
  messageId: string;
  /** Where readers of mail offer to unsubscribe, with one click. */
  unsubscribeUrl?: string;
}

type TakeSocket = (error: Error | null, found?: { connection: Awaited<ReturnType<Net["openMailSocket"]>> }) => void;

const timeoutMs = 30_000;

export function createMailer(
  { net }: { net: Pick<Net, "openMailSocket" | "certificates"> },
  { url, from }: MailerOptions,
) {
  const server = new URL(url);
  const isSecure = server.protocol === "smtps:";
  const login =
    server.username === ""
      ? null
      : { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) };

  return {
    /** Rejects if the server does not accept the email, or the signal ends it before. */
    async send({ to, messageId, unsubscribeUrl, ...content }: Email, signal?: AbortSignal): Promise<void> {
      // Loaded with the first email: a server without email never needs it.
      const { createTransport } = await import("nodemailer");
      const ca = net.certificates();
      signal?.throwIfAborted();
      let end = () => {};
      const ended = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          end();
          reject(signal.reason);
        });
      });
      const transport = createTransport({
        host: server.hostname,
        port: mailPortOf(server),
        secure: isSecure,
        ...(login ? { auth: login } : {}),
        ...(ca === null ? {} : { tls: { ca } }),
        getSocket: (_options: unknown, done: TakeSocket) => {
          net.openMailSocket().then(
            (connection) => {
              end = () => connection.destroy();
              if (signal?.aborted) end();
              done(null, { connection });
            },
            (error: Error) => done(error),
          );
        },
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        // An email consists of the texts given here, never of files or URLs.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const headers = unsubscribeUrl
        ? { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
        : {};
      const message = { from, to, ...content, headers, messageId: `<${messageId}@${hostOf(from)}>` };
      try {
        await Promise.race([transport.sendMail(message), ended]);
      } finally {
        transport.close();
      }
    },
  };
}

function hostOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";
}

/** By its protocol, unless the URL names one. */
export function mailPortOf({ protocol, port }: Pick<URL, "protocol" | "port">): number {
  return Number(port) || (protocol === "smtps:" ? 465 : 587);
}
