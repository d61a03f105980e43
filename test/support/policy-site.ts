// A site that is reached under two names: as 127.0.0.1 and as localhost, to which it redirects and links.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export async function startServer() {
  const hosts: string[] = [];
  const server = createServer(({ url, headers: { host = "" } }, response) => {
    hosts.push(host);
    const away = `http://localhost:${port()}/`;
    if (url === "/away") return void response.writeHead(302, { location: away }).end();
    if (url !== "/") return void response.writeHead(404).end();
    const text = "This page has enough text to be a page that people read, with a sentence or two of it.";
    response.setHeader("content-type", "text/html");
    response.end(`<title>Here</title><main><h1>Here</h1><p>${text}</p><a href="${away}other">Away</a></main>`);
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((done) => server.listen(0, done));
  return {
    url: `http://127.0.0.1:${port()}`,
    /** Under which names it was asked, in order. */
    hosts: () => [...hosts],
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
