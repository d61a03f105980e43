// What `trawl doctor` looks at before anything is opened: Node, disk, clock and port.
import { mkdir, stat, statfs } from "node:fs/promises";
import { type Clock, minuteMs, systemClock } from "../base/index.ts";
import type { Config } from "../config.ts";
import { whyNotListen } from "../http/index.ts";
import type { Finding } from "./doctor-finding.ts";

/** The oldest Node that works, as package.json has it. */
const oldestNode = [20, 19] as const;
const gigabyte = 1024 ** 3;
const leastFreeBytes = gigabyte;

export async function* examineMachine(config: Config, clock: Clock = systemClock): AsyncGenerator<Finding> {
  yield examineNode(process.versions.node);
  if (config.databaseUrl === null) yield await examineDisk(config.dataDir);
  yield await examineClock(config.dataDir, clock);
  yield await examinePort(config);
}

function examineNode(version: string): Finding {
  const subject = "Node";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (isNewEnough) return { subject, state: "ok", message: `${version} on ${process.platform} ${process.arch}.` };
  const fix = `Install Node ${oldestNode.join(".")} or newer from https://nodejs.org.`;
  return { subject, state: "failed", message: `${version} is too old.`, fix };
}

export async function examineDisk(folder: string): Promise<Finding> {
  const subject = "Disk";
  try {
    await mkdir(folder, { recursive: true });
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const message = `${(freeBytes / gigabyte).toFixed(1)} GB are free for ${folder}.`;
    if (freeBytes >= leastFreeBytes) return { subject, state: "ok", message };
    return { subject, state: "failed", message, fix: "Free at least 1 GB, or set DATA_DIR to a larger disk." };
  } catch {
    const fix = "Set DATA_DIR to a folder that this user may write.";
    return { subject, state: "failed", message: `${folder} cannot be made or read.`, fix };
  }
}

/** A clock that is behind makes leases, caches and certificates fail in ways that are hard to explain. */
async function examineClock(folder: string, clock: Clock): Promise<Finding> {
  const subject = "Clock";
  const now = clock.now();
  const written = await stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const message = `${new Date(now).toISOString()}, time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  if (now > written - 5 * minuteMs) return { subject, state: "ok", message };
  const fix = "Set the clock of this machine, and turn on its time service (timedatectl set-ntp true).";
  return { subject, state: "failed", message: `${message} It is behind the last change of ${folder}.`, fix };
}

async function examinePort({ host, port }: Config): Promise<Finding> {
  const subject = "Port";
  const reason = await whyNotListen(host, port);
  if (reason === null) return { subject, state: "ok", message: `${host}:${port} is free for trawl serve.` };
  if (reason === "EADDRINUSE") {
    const message = `${host}:${port} is in use: a server runs here, or another program has it.`;
    return { subject, state: "absent", message, fix: "Set PORT to another one if that program is not Trawl." };
  }
  const fix = "Set HOST to an address of this machine and PORT to one above 1023.";
  return { subject, state: "failed", message: `${host}:${port} cannot be used (${reason}).`, fix };
}
