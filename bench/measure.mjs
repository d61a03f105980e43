// What the benches share: a program as a child process, its CPU time and memory, load over loopback.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";

/** Starts a Node program and waits for its first output that matches. Stop it with `stop()`. */
/** `node`: another Node than this one. */
export async function startProgram(args, { env = {}, until, node = process.execPath }) {
  const startedAt = performance.now();
  const child = spawn(node, [...optionsOf(args), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  const waitFor = (pattern) =>
    new Promise((found, failed) => {
      let output = "";
      const read = (text) => {
        output += text;
        const hit = pattern.exec(output);
        if (!hit) return;
        // Later output (a line per request) is drained and dropped.
        child.stdout.off("data", read).resume();
        found(hit);
      };
      child.stdout.on("data", read);
      void ended.then((code) => failed(new Error(`the program ended with ${code}: ${output}`)));
    });
  const match = await waitFor(until);
  return {
    pid: child.pid,
    match,
    startedAt,
    /** Writes to the program and waits for output that matches. */
    ask(text, pattern) {
      const answer = waitFor(pattern);
      child.stdin.write(text);
      return answer;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A server is measured as `npm start` of its checkout starts it. */
function optionsOf([program, verb]) {
  if (verb !== "serve" || !program.endsWith("dist/cli.js")) return [];
  const { scripts } = JSON.parse(readFileSync(program.replace("dist/cli.js", "package.json"), "utf8"));
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

/** User and system CPU time of one process so far, all its threads included, in milliseconds. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/**
 * The same to the microsecond, for short rounds: the kernel counts the other in ticks of 10 ms. It counts live threads only, so
 * use it for programs that end none meanwhile.
 */
export function threadsCpuMs(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

/** Resident memory of one process, in megabytes. */
export function memoryMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/** Bytes of all files in a folder. */
export function folderSize(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Sends `count` requests over `connections` kept-alive connections; every response must have status 200. */
export async function load(makeRequest, { count, connections = 8 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await send(makeRequest(), agent);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
}

/** Resolves with the body; a status other than 200 is a failure. */
export function send({ url, method = "GET", headers = {}, body }, agent) {
  return new Promise((done, failed) => {
    const asked = request(url, {
      method,
      agent,
      headers: body ? { ...headers, "content-length": Buffer.byteLength(body) } : headers,
    });
    asked.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () =>
        response.statusCode === 200 ? done(text) : failed(new Error(`${response.statusCode} ${text}`)),
      );
    });
    asked.on("error", failed);
    asked.end(body);
  });
}

export function median(values) {
  return quantile(values, 0.5);
}

/** The value that this share of the values does not exceed. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
