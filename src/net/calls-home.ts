// Hosts that Chromium asks on its own account: updates, lists, experiments, suggestions. No page needs them, and flags do
// not silence all of it, so the browser's proxy refuses them without resolving them.

const hosts = new Set([
  "android.clients.google.com",
  "chromewebstore.googleapis.com",
  "clients1.google.com",
  "clients2.google.com",
  "clients3.google.com",
  "clients4.google.com",
  "clients5.google.com",
  "clients6.google.com",
  "clientservices.googleapis.com",
  "content-autofill.googleapis.com",
  "edgedl.me.gvt1.com",
  "mtalk.google.com",
  "optimizationguide-pa.googleapis.com",
  "passwordsleakcheck-pa.googleapis.com",
  "redirector.gvt1.com",
  "safebrowsing.googleapis.com",
  "safebrowsingohttpgateway.googleapis.com",
  "sb-ssl.google.com",
  "tools.google.com",
  "update.googleapis.com",
]);

export function isCallHome(hostname: string): boolean {
  return hosts.has(hostname);
}
