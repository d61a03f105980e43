// The official SDK as it is published. Its own package.json installs it, so the compiler does not know it from here.
const sdk = "firecrawl";
const place = new URL(`../clients/node_modules/${sdk}/dist/index.js`, import.meta.url);

export const { Firecrawl } = await import(place.href);
