// The site of docs/tutorial.md and docs/recipes: a boat shop on this machine, whose prices change when you say so.
// node scripts/example-site.mjs [PORT]
import { createServer } from "node:http";

const boats = {
  aurora: { name: "Aurora", price: 1290, seats: 4, text: "A rowing boat of oak for lakes and calm rivers." },
  heron: { name: "Heron", price: 2450, seats: 6, text: "A sailing dinghy that a family rigs in ten minutes." },
  tern: { name: "Tern", price: 890, seats: 2, text: "A light kayak with room for a tent and a week of food." },
};
const guides = {
  "winter-storage": [
    "Winter storage",
    "Wash off the salt, dry the hull for two days, and store the boat upside down on trestles.",
    "Grease the rowlocks before the first frost. A cover must let air through, or the wood rots.",
  ],
  "first-sail": [
    "The first sail",
    "Choose a morning with little wind and sail towards it, so that the way home is easy.",
    "Reef early: a smaller sail is slower, and far easier to hold.",
  ],
};
const session = "member=7f3a";
/** How often each part was asked for, and its first refusal: the warehouse is a little unreliable. */
const asked = new Map();

const page = (title, main, head = "") => `<!doctype html>
<html lang="en"><head><title>${title}</title>${head}</head><body>
<nav><a href="/">Harbour Boats</a> <a href="/guides/winter-storage">Winter</a> <a href="/guides/first-sail">First sail</a></nav>
<main><h1>${title}</h1>
${main}
</main><footer>Harbour Boats, Pier 3</footer></body></html>`;

function boatPage(id) {
  const { name, price, seats, text } = boats[id];
  const offers = { "@type": "Offer", price, priceCurrency: "EUR", availability: "https://schema.org/InStock" };
  const data = JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    description: text,
    offers,
  });
  const rows = `<table><tr><th>Price</th><td>€${price}</td></tr><tr><th>Seats</th><td>${seats}</td></tr></table>`;
  return page(name, `<p>${text}</p>${rows}`, `<script type="application/ld+json">${data}</script>`);
}

function partPage(number, response) {
  const times = (asked.get(number) ?? 0) + 1;
  asked.set(number, times);
  // Every tenth part is refused at first, and every twenty-fifth has been sold out for good.
  if (number % 25 === 0) return send(response, 404, page("Sold out", "<p>We no longer make this part.</p>"));
  if (number % 10 === 0 && times === 1) return send(response, 503, "busy");
  return send(
    response,
    200,
    page(`Part ${number}`, `<p>Part ${number} fits every boat. It costs €${(number % 90) + 5}.</p>`),
  );
}

function send(response, status, body, headers = {}) {
  const type = body.startsWith("<?xml") ? "application/xml" : "text/html; charset=utf-8";
  response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

const signIn = `<form method="post" action="/sign-in"><label>Name <input name="name"></label>
<label>Password <input name="password" type="password"></label><button>Sign in</button></form>`;

function memberPage(cookie, response) {
  if (!cookie.includes(session)) return send(response, 302, "", { location: "/sign-in" });
  const rows = Object.values(boats).map(
    ({ name, price }) => `<tr><td>${name}</td><td>€${Math.round(price * 0.8)}</td></tr>`,
  );
  const table = `<table><tr><th>Boat</th><th>Member price</th></tr>${rows.join("")}</table>`;
  return send(response, 200, page("Member prices", `<p>Prices for members, valid this month.</p>${table}`));
}

const listPaths = () => [
  "/",
  ...Object.keys(boats).map((id) => `/boats/${id}`),
  ...Object.keys(guides).map((id) => `/guides/${id}`),
];

async function answer(request, response) {
  const { pathname, origin } = new URL(request.url, `http://${request.headers.host}`);
  const [, folder, id] = pathname.split("/");
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.method === "PUT" && boats[id]) {
    boats[id].price = Number(body);
    return send(response, 200, `${boats[id].name} now costs €${boats[id].price}\n`);
  }
  if (request.method === "DELETE" && boats[id]) {
    delete boats[id];
    return send(response, 200, "Sold.\n");
  }
  if (pathname === "/sign-in" && request.method === "POST") {
    const isRight = new URLSearchParams(body).get("password") === "ahoy";
    if (!isRight) return send(response, 200, page("Sign in", `<p>Wrong password.</p>${signIn}`));
    return send(response, 302, "", { location: "/members", "set-cookie": `${session}; Path=/; Max-Age=86400` });
  }
  if (pathname === "/") return send(response, 200, page("Harbour Boats", listOf(Object.keys(boats))));
  if (folder === "boats" && boats[id]) return send(response, 200, boatPage(id));
  if (folder === "guides" && guides[id]) {
    const [title, ...paragraphs] = guides[id];
    return send(response, 200, page(title, paragraphs.map((text) => `<p>${text}</p>`).join("\n")));
  }
  if (folder === "parts" && Number(id) > 0) return partPage(Number(id), response);
  if (pathname === "/sign-in") return send(response, 200, page("Sign in", signIn));
  if (pathname === "/members") return memberPage(request.headers.cookie ?? "", response);
  if (pathname === "/sitemap.xml") {
    const urls = listPaths()
      .map((path) => `<url><loc>${origin}${path}</loc></url>`)
      .join("");
    const space = "http://www.sitemaps.org/schemas/sitemap/0.9";
    return send(response, 200, `<?xml version="1.0"?><urlset xmlns="${space}">${urls}</urlset>`);
  }
  return send(response, 404, page("Not found", "<p>There is no such page.</p>"));
}

function listOf(ids) {
  const items = ids.map((id) => `<li><a href="/boats/${id}">${boats[id].name}</a>: ${boats[id].text}</li>`);
  return `<p>We build boats by hand, and ship them to any port.</p><ul>${items.join("\n")}</ul>`;
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () => {
  console.log(`Harbour Boats is open at http://127.0.0.1:${server.address().port}`);
});
