// A site whose pages are empty until their scripts have run: styles, scripts, pictures, data from their own URL.
import { createServer } from "node:http";

const rows = 200;
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const style =
  "body { font: 16px sans-serif; margin: 2em } .row { display: grid; grid-template-columns: 1fr 3fr; padding: 4px } img { width: 40px }";
const program = `
fetch("/data" + location.pathname).then((answer) => answer.json()).then((list) => {
  const main = document.querySelector("main");
  for (const { name, text } of list) {
    const row = document.createElement("div");
    row.className = "row";
    row.innerHTML = "<h2>" + name + "</h2><p>" + text + "</p>";
    main.append(row);
  }
});`;

export async function startRenderedSite() {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const send = (type, body) =>
      response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(body);
    if (path.startsWith("/data/")) send("application/json", JSON.stringify(data(path)));
    else if (path.endsWith(".css")) send("text/css", style);
    else if (path.endsWith(".js"))
      send("text/javascript", path.startsWith("/app") ? program : `window.part = ${JSON.stringify(path)};`);
    else if (path.endsWith(".png")) send("image/png", pixel);
    else send("text/html; charset=utf-8", page(path));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

function page(path) {
  const pictures = Array.from({ length: 6 }, (_, n) => `<img src="/picture-${n}.png" alt="Picture ${n}">`).join("");
  const scripts = ["/vendor.js", "/parts.js", "/app.js"]
    .map((file) => `<script src="${file}" defer></script>`)
    .join("");
  return `<!doctype html><html lang="en"><head><title>Page ${path}</title><link rel="stylesheet" href="/style.css">${scripts}</head><body><header>${pictures}</header><main></main></body></html>`;
}

function data(path) {
  const text = "Some words that a reader would read, and a few more of them so that a row has a length. ".repeat(2);
  return Array.from({ length: rows }, (_, n) => ({ name: `${path} row ${n}`, text }));
}
