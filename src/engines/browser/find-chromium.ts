// Where Chromium is on this machine, and how to install it when it is missing.
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The file that was configured and no other; else the first of PATH and the usual places. Null when not found. */
export function findChromium(configured: string | null, searchPath: string): string | null {
  if (configured !== null) return isExecutable(configured) ? configured : null;
  return [...inPath(names, searchPath), ...usualPlaces].find(isExecutable) ?? null;
}

/** Chromium without windows, tabs and menus, as some systems package it. A configured Chromium is always the one that is used. */
export function findHeadlessShell(configured: string | null, searchPath: string): string | null {
  if (configured !== null) return null;
  return inPath(["chromium-headless-shell"], searchPath).find(isExecutable) ?? null;
}

function inPath(programs: readonly string[], searchPath: string): string[] {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => programs.map((name) => join(folder, name)));
}

/** The message for a request that needs a browser on a machine without one. */
export function missingChromium(configured: string | null): string {
  const what =
    configured === null
      ? "Chromium was not found on this server."
      : "CHROMIUM_PATH does not name a program that can run.";
  return `${what} To install it: ${chromiumCommand()}`;
}

function chromiumCommand(): string {
  if (process.platform === "darwin") return "brew install --cask chromium";
  const isDebian = existsSync("/etc/debian_version") && existsSync("/usr/bin/apt-get");
  return isDebian
    ? "sudo apt-get install chromium"
    : "install the package chromium of your system, or set CHROMIUM_PATH or BROWSER_WS_ENDPOINT";
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
