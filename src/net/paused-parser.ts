// A connection that ends while its answer is held back must not end this process: undici 7 asserts that its parser is not
// paused when a socket ends, resets or closes, and an assertion in a socket's event is beyond every handler.
import type { Socket } from "node:net";

/** What of undici's parser is touched here; undici's version is pinned, and tests end connections in all these ways. */
interface Parser {
  paused: boolean;
  ptr: number | null;
  llhttp: { llhttp_resume(ptr: number): void };
  resume(): void;
}

/** To be called before undici is handed the socket: listeners run in the order in which they were added. */
export function endPausedParser(socket: Socket): void {
  socket.on("end", () => {
    const parser = parserOf(socket);
    // All bytes have been read by now, so going on completes an answer that says where it ends …
    if (parser?.paused) parser.resume();
    // … and one that ends with its connection is held back once more, by nothing.
    if (parser?.paused && parser.ptr !== null) {
      parser.llhttp.llhttp_resume(parser.ptr);
      parser.paused = false;
    }
  });
  const letGo = () => {
    const parser = parserOf(socket);
    if (parser !== null) parser.paused = false;
  };
  socket.on("error", letGo);
  socket.on("close", letGo);
}

function parserOf(socket: Socket): Parser | null {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser");
  return key === undefined ? null : ((socket as unknown as Record<symbol, Parser | null>)[key] ?? null);
}
