// Hosts that Chromium asks on its own account: updates, lists, experiments, suggestions. No page needs them, and flags do
// not silence all of it, so the browser's proxy refuses them without resolving them.
import list from "./calls-home-hosts.json" with { type: "json" };

const hosts = new Set(list);

export function isCallHome(hostname: string): boolean {
  return hosts.has(hostname);
}
