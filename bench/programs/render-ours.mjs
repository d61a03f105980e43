// The browser engine with the defaults of a scrape: guarded proxy, namespaces, sandbox, ad blocking.
import { openBrowser } from "../../dist/app/open-browser.js";
import { createLog, systemClock } from "../../dist/base/index.js";
import { loadConfig } from "../../dist/config.js";
import { scrapeOptions } from "../../dist/contract/index.js";
import { createNet } from "../../dist/net/index.js";
import { renderOnDemand } from "./render-loop.mjs";

const config = loadConfig(process.env);
const log = createLog("warn");
const net = createNet({
  allowedPrivateHosts: config.allowedPrivateHosts,
  dnsServer: null,
  ownPorts: () => [],
  userAgent: "Bench",
  clock: systemClock,
  log,
});
const browser = openBrowser(config, { net, log, userAgent: "Bench" });
const options = scrapeOptions.parse({});

await renderOnDemand(
  async (url) => {
    const signal = AbortSignal.timeout(options.timeout);
    const outcome = await browser.render({ url, options, screenshots: [], signal });
    if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
    return outcome.page.body.toString();
  },
  async () => {
    await browser.close();
    await net.close();
  },
);
