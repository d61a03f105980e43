// A site whose pages need a browser, for tests through the API.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type FixtureSite, startSite } from "./fixture-site.ts";

const words = "Nets have been made for a very long time, from many fibres, by many hands, for many kinds of fish. ";

export const shellPage = (text: string, links = "") => `<!doctype html><html lang="en"><title>Shell</title>
  <noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>
  <script>document.querySelector("#root").innerHTML = ${JSON.stringify(`<main><h1>${text}</h1><p>${words}</p>${links}</main>`)}</script>`;

const plainPage = `<!doctype html><title>Plain</title><main><h1>Plain page</h1><p>${words.repeat(6)}</p></main>
  <script>document.querySelector("main").insertAdjacentHTML("beforeend", "<p>written by a script</p>")</script>`;

/** Wants clicks, keys, text and time. */
const formPage = `<!doctype html><title>Form</title><main>
  <h1>Form</h1><input id="name"><button id="add" onclick="log.append(document.querySelector('#name').value + ';')">Add</button>
  <ul><li class="item" onclick="this.textContent='clicked'">one</li><li class="item" onclick="this.textContent='clicked'">two</li></ul>
  <p id="log"></p><p id="keys"></p><div id="late"></div>
  <div id="box" style="height:50px;overflow:auto"><div style="height:500px">tall</div></div><div style="height:3000px"></div></main>
  <script>
    const log = document.querySelector("#log");
    document.addEventListener("keydown", ({ key }) => document.querySelector("#keys").append(key + " "));
    setTimeout(() => { document.querySelector("#late").innerHTML = '<b id="arrived">arrived</b>'; }, 300);
  </script>`;

const tallPage = `<!doctype html><title>Tall</title><body style="margin:0"><main style="height:4000px;overflow:hidden"><h1>Tall</h1></main></body>`;

/** Of a cookie that no page shows. */
export const cookieSecret = "never-to-be-seen-anywhere";

/** Says whether it was asked with its cookie, and what the browser has in its storage. */
function profilePage(request: IncomingMessage, response: ServerResponse): void {
  const cookies = ["visited=yes", `secret=${cookieSecret}`].map((cookie) => `${cookie}; Max-Age=3600; Path=/`);
  response.writeHead(200, { "content-type": "text/html", "set-cookie": cookies });
  const shown = request.headers.cookie?.includes(cookieSecret) ? "visited=yes" : "none";
  response.end(`<!doctype html><title>Profile</title><main><h1>Profile</h1><p>Cookie: ${shown}</p>
    <p id="kept"></p></main><script>
    document.querySelector("#kept").textContent = "Kept: " + (localStorage.getItem("kept") ?? "nothing");
    localStorage.setItem("kept", "something");</script>`);
}

export function startRenderedSite(more: Parameters<typeof startSite>[0] = {}): Promise<FixtureSite> {
  return startSite({
    "/shell": shellPage("Filled by a script"),
    "/plain": plainPage,
    "/form": formPage,
    "/tall": tallPage,
    "/profile": profilePage,
    ...more,
  });
}

/** Width and height of a PNG, and its kind. */
export function pictureOf(bytes: Buffer): { kind: string; width: number; height: number } {
  if (bytes.toString("latin1", 1, 4) === "PNG") {
    return { kind: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return { kind: bytes.readUInt16BE(0) === 0xffd8 ? "jpg" : bytes.toString("latin1", 0, 4), width: 0, height: 0 };
}
