// Ways of measuring that benches share: a server as a child process, its CPU time and memory, load over loopback.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";

/** Starts a Node program and waits for its first output line that matches. Stop it with `stop()`. */
export async function startProgram(args, { env = {}, until }) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const match = await new Promise((found, failed) => {
    child.stdout.on("data", function read(text) {
      output += text;
      const hit = until.exec(output);
      if (!hit) return;
      // What it prints from now on (a line per request) is taken off the pipe and dropped.
      child.stdout.off("data", read).resume();
      found(hit);
    });
    child.once("exit", (code) => failed(new Error(`the program ended with ${code}: ${output}`)));
  });
  const ended = new Promise((done) => child.once("exit", done));
  return {
    pid: child.pid,
    match,
    startedAt,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** User and system CPU time of one process so far, in milliseconds. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Resident memory of one process, in megabytes. */
export function memoryMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/** Sends `count` requests over `connections` kept-alive connections; every answer must have status 200. */
export async function load(url, { headers = {}, count, connections = 8 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await request(url, { headers, agent });
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
}

export function request(url, options = {}) {
  return new Promise((done, failed) => {
    get(url, options, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text) => {
        body += text;
      });
      response.on("end", () =>
        response.statusCode === 200 ? done(body) : failed(new Error(`${response.statusCode} ${body}`)),
      );
    }).on("error", failed);
  });
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
