// Sites with walls, in our own words: what real ones send looks like this.
import type { IncomingMessage, ServerResponse } from "node:http";
import { page } from "./jobs.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const html = { "content-type": "text/html; charset=utf-8" };

/** A refusal that nothing gets past. */
export const refuse: Handler = (_request, response) => {
  response.writeHead(403, html);
  response.end("<!doctype html><title>Access denied</title><h1>Access denied</h1><p>You have been blocked.</p>");
};

/** What a browser runs and HTTP does not; it sets the cookie and asks again. */
const proof = `document.cookie = "pass=granted; path=/"; location.reload();`;

export const challengePage = `<!doctype html><title>Just a moment...</title>
  <p>Checking your browser before you may go on.</p>
  <script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`;

/** Asks for a cookie that only a script sets, or that nothing sets. */
export function challenge(content: string | Handler, { isPassable = true } = {}): Handler {
  return (request, response) => {
    if (isPassable && hasPass(request)) {
      if (typeof content === "function") return content(request, response);
      return response.writeHead(200, html).end(content);
    }
    return response.writeHead(403, html).end(challengePage);
  };
}

export function hasPass({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return /(?:^|; )pass=granted/.test(headers.cookie ?? "");
}

/** The program of the challenge, at the path that its page names. */
export const challengeProgram: Record<string, Handler> = {
  "/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1": (_request, response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end(proof),
};

export const parkedPage = `<!doctype html><title>nets.example</title><h1>nets.example</h1>
  <p>This domain is parked. Buy this domain.</p>
  <ul><li><a href="/ad/1">Fishing nets</a></li><li><a href="/ad/2">Cheap flights</a></li></ul>
  <script src="https://img.sedoparking.com/js/park.js"></script>`;

/** A page with enough words to be one. */
export function article(title: string, links: readonly string[] = []): string {
  const text = `<p>${"The boats leave the harbour at dawn and come back with their nets full. ".repeat(12)}</p>`;
  return page(title, links).replace("</main>", `${text}</main>`);
}
