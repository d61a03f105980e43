// A solver on loopback that speaks FlareSolverr's protocol, with its mistakes: the status is always 200 and there are no headers.
// Its browser is a fetch that brings what lets a request through.
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type FixtureSite, startSite } from "./fixture-site.ts";

export interface SolverCommand {
  cmd: string;
  url?: string;
  session?: string;
  maxTimeout?: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse, command: SolverCommand) => unknown;

export interface SolverServer extends Pick<FixtureSite, "url" | "headers" | "close"> {
  commands: SolverCommand[];
  /** Sessions that are open. */
  sessions: Set<string>;
  /** Answers in place of the solver to what is no greeting; null: it works. */
  fault: Answer | null;
  /** Changes the solution of a page; what is undefined is as it would be. */
  lie: Record<string, unknown>;
  reset(): void;
}

export const solverAgent = "Mozilla/5.0 (X11; Linux x86_64) SolverBrowser/1.0";

/** Whether a request comes from the solver's browser, with or without what it has won. */
export function hasSolved({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["user-agent"] === solverAgent && /(?:^|; )clearance=granted/.test(headers.cookie ?? "");
}

/** `greeting`: what GET / says; as Byparr it leads elsewhere. */
export async function startSolver({ isByparr = false } = {}): Promise<SolverServer> {
  const sessions = new Set<string>();

  async function solve({ url = "", session, maxTimeout }: SolverCommand) {
    if (!isByparr && session !== undefined && !sessions.has(session)) throw new Error("This session does not exist.");
    if (maxTimeout === undefined || maxTimeout < 1000) throw new Error("The time is too short.");
    const page = await fetch(url, {
      headers: { "user-agent": solverAgent, cookie: "clearance=granted", "x-solver": session ?? "none" },
    });
    const { hostname } = new URL(page.url);
    const cookie = { name: "clearance", value: "granted", domain: hostname, path: "/", expiry: 4_102_444_800 };
    const tampering = { name: "tampering", value: "a\r\nx-injected: 1", domain: hostname, path: "/" };
    const found = { url: page.url, status: 200, headers: {}, response: await page.text(), userAgent: solverAgent };
    return { ...found, cookies: [tampering, cookie], ...server.lie };
  }

  async function obey(command: SolverCommand): Promise<object> {
    const { cmd, session = "" } = command;
    if (cmd === "request.get") return { solution: await solve(command), message: "Challenge solved!" };
    if (cmd === "sessions.create" && !isByparr) sessions.add(session);
    else if (cmd !== "sessions.destroy" || !sessions.delete(session)) throw new Error(`The command ${cmd} is invalid.`);
    return { session, message: "" };
  }

  const site = await startSite((path) => async (request, response) => {
    if (path !== "/v1") {
      const greeting = JSON.stringify({ msg: "FlareSolverr is ready!", version: "3.4.0", userAgent: solverAgent });
      return isByparr ? response.writeHead(301, { location: "/docs" }).end() : response.end(greeting);
    }
    const command = JSON.parse(await text(request)) as SolverCommand;
    server.commands.push(command);
    if (server.fault !== null) return server.fault(request, response, command);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return obey(command).then(
      (said) => answer(200, { status: "ok", ...said, version: "3.4.0" }),
      (error: Error) => answer(500, { status: "error", message: `Error: ${error.message}` }),
    );
  });

  const reset = () => Object.assign(server, { commands: [], fault: null, lie: {} });
  const { url, headers, close } = site;
  const server: SolverServer = { url, headers, close, sessions, commands: [], fault: null, lie: {}, reset };
  return server;
}
