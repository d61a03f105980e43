// What a browser that users drive may see of the system, and what Chromium itself refuses to them: the policies of
// its administrators, which apply whatever the debugging port says.
import { readdirSync } from "node:fs";
import { devtoolsPort, relayPort } from "./launch-files.ts";

/** Of /etc: fonts, certificates, where libraries and programs are. No user names, no hosts, no passwords. */
export const keptSystemFiles = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "chromium.d",
  "fonts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "pki",
  "ssl",
];

/** What programs are made of. */
const systemFolders = new Set([
  "usr",
  "bin",
  "sbin",
  "lib",
  "lib32",
  "lib64",
  "libx32",
  "etc",
  "proc",
  "dev",
  "sys",
  "tmp",
]);

/** All other folders of the machine, and the memory that programs share by name. */
export function otherFolders(): string[] {
  const others = readdirSync("/", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !systemFolders.has(entry.name))
    .map((entry) => `/${entry.name}`);
  return [...others, "/dev/shm"];
}

const ownPorts = [devtoolsPort, relayPort].flatMap((port) => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
]);

export const sessionPolicy = {
  URLBlocklist: ["file://*", "chrome://*", "chrome-untrusted://*", "devtools://*", "view-source:*", ...ownPorts],
  DownloadRestrictions: 3,
  AllowFileSelectionDialogs: false,
  ExtensionInstallBlocklist: ["*"],
  PrintingEnabled: false,
  DefaultNotificationsSetting: 2,
  DefaultGeolocationSetting: 2,
  SyncDisabled: true,
  BackgroundModeEnabled: false,
};
