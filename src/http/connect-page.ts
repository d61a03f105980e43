// The page `/connect`: the lines that point other tools here, with this server's own URL.
import { connectedTools } from "../connect/index.ts";

export function renderConnectPage(baseUrl: string): string {
  const { host } = new URL(baseUrl);
  const names = [...new Set(connectedTools.map(({ tool }) => tool))].sort((one, other) =>
    one.localeCompare(other, "en"),
  );
  const sections = names.map((name) => {
    const uses = connectedTools
      .filter(({ tool }) => tool === name)
      .map(({ use, speaks, lines }) => {
        const here = lines.map((line) =>
          line.replaceAll("URL/", `${baseUrl}/`).replace(/\bURL(?=["\n\s,)]|$)/g, baseUrl),
        );
        const text = here.map((line) => line.replaceAll("HOST", host)).join("\n");
        return `<p>${escaped([use, speaks].filter(Boolean).join("; "))}</p><pre>${escaped(text)}</pre>`;
      });
    return `<section><h2>${escaped(name)}</h2>${uses.join("")}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Connect to Trawl</title><style>${style}</style></head>
<body><main><h1>Connect</h1><p>Replace KEY with an API key (<code>trawl keys create</code>) and TEAM with the name of a team.</p>${sections.join("\n")}</main></body></html>`;
}

export const style =
  "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:50rem;padding:0 1rem;color-scheme:light dark}pre{overflow:auto;padding:.75rem;border:1px solid #8885;border-radius:6px}";

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
