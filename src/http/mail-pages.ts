// The pages to which the emails of monitors lead: opening one changes nothing, because mail scanners open links too; its button
// sends a request, as readers of mail do that unsubscribe with one click.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";
import { pagePolicy } from "./built-in-pages.ts";
import { escaped, style } from "./connect-page.ts";
import { makeCaller, type Operation, type RouteDeps } from "./routes.ts";

const actions = {
  confirm: {
    operation: "confirmMonitorEmail",
    title: "Confirm email",
    about: "Get an email whenever this monitor finds a change.",
    button: "Confirm",
  },
  unsubscribe: {
    operation: "unsubscribeMonitorEmail",
    title: "Unsubscribe",
    about: "Get no more email from this monitor.",
    button: "Unsubscribe",
  },
} as const;

const outcomes: Readonly<Record<string, string>> = {
  confirmed: "gets email from the monitor",
  already_confirmed: "already gets email from the monitor",
  unsubscribed: "gets no more email from the monitor",
  already_unsubscribed: "has unsubscribed and gets no email from the monitor",
};

type Changed = { result: string; email: string; monitorName: string };

export function addMailPages(app: FastifyInstance, deps: Pick<RouteDeps, "operations" | "publicUrl">): void {
  void app.register(async (scope) => {
    // Forms of any kind: what is asked for is in the link.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 10_000 }, async () => null);
    for (const [name, action] of Object.entries(actions)) {
      const { title, about, button, operation } = action;
      const path = `/monitoring/email/${name}`;
      const form = `<p>${about}</p><form method="post"><button>${button}</button></form>`;
      scope.get(path, async (request, reply) =>
        tokenOf(request) === "" ? send(reply, 404, title, notValid) : send(reply, 200, title, form),
      );
      scope.post(path, async (request, reply) => {
        const change = deps.operations[operation] as Operation;
        const caller = makeCaller("v2", request, deps);
        try {
          const { result, email, monitorName } = (await change(
            { token: tokenOf(request) } as never,
            caller,
          )) as Changed;
          const said = `${email} ${outcomes[result]} "${monitorName}".`;
          return send(reply, 200, title, `<p>${escaped(said)}</p>`);
        } catch (error) {
          if (error instanceof ServiceError && error.code === "SUBSCRIPTION_NOT_FOUND")
            return send(reply, 404, title, notValid);
          throw error;
        }
      });
    }
  });
}

const notValid = "<p>This link is not valid. The monitor may have been deleted.</p>";

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown };
  return typeof token === "string" ? token : "";
}

function send(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  const head = `<head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>`;
  return reply
    .status(status)
    .header("content-security-policy", `${pagePolicy}; form-action 'self'`)
    .type("text/html; charset=utf-8")
    .send(`<!doctype html><html lang="en">${head}<body><main><h1>${title}</h1>${body}</main></body></html>`);
}
