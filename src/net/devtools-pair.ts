// One client at the gateway and its connection to the browser. Every command is read as a whole, checked, and written again. What the
// browser answers is not checked, so it passes in the chunks it arrives in, however large it is. A side that does not
// read stops the other: neither grows our memory.
import type { Duplex } from "node:stream";
import { ChunkList } from "./chunk-list.ts";
import { type DevtoolsCommand, judgeCommand } from "./devtools-rules.ts";
import {
  closeCodes,
  closeFrame,
  createFrameReader,
  type Frame,
  FrameError,
  isControl,
  opcodes,
  writeFrame,
} from "./websocket-frames.ts";

export interface DevtoolsPairOptions {
  client: Duplex;
  browser: Duplex;
  /** Called for everything that passes, in either direction. */
  onTraffic(): void;
  /** Called with the method of each command that passes. */
  onCommand?: ((method: string) => void) | undefined;
  /** The sender of a large command waits until no other client of the session sends one; returns how to end the turn. */
  takeTurn(): Promise<() => void>;
}

export interface DevtoolsPair {
  ended: Promise<void>;
  /** Closes both sides properly. */
  end(): void;
  /** Pings the client; one that sent nothing since the last ping is cut off. */
  ping(): void;
}

const maxCommandBytes = 8 * 1024 * 1024;
/** Each client may have so much of a command here; more only in its turn. */
const smallCommandBytes = 64 * 1024;
/** Our own answers that wait for the end of one of the browser's, or for the client to read. */
const maxWaitingBytes = 256 * 1024;
/** Far more than any command of the protocol has. */
const maxLevels = 200;
const maxSessionIdLength = 128;
const closeMs = 1000;
const parseError = -32700;
const serverError = -32000;

export function carryDevtools({ client, browser, onTraffic, onCommand, takeTurn }: DevtoolsPairOptions): DevtoolsPair {
  let isAlive = true;
  let isEnding = false;
  const answers = passAnswers({ client, browser, onTraffic }, () => end(closeCodes.protocolError));
  const command = new ChunkList();
  let commandBytes = 0;
  const turn = createTurn(takeTurn, adjust);

  /** The client is read while there is room for what it sends. */
  function adjust(): void {
    const ownBytes = client.writableLength + answers.waitingBytes();
    if (turn.isAwaited() || browser.writableNeedDrain || ownBytes > maxWaitingBytes) client.pause();
    else client.resume();
  }

  client.on("drain", () => {
    isAlive = true;
    browser.resume();
    adjust();
  });
  browser.on("drain", adjust);

  const commands = createFrameReader({
    onFrame({ length, mask, opcode }) {
      if (mask === null) throw new FrameError(closeCodes.protocolError, "a frame without a mask");
      if (opcode < opcodes.close && commandBytes + length > maxCommandBytes) {
        throw new FrameError(closeCodes.tooLarge, "a command that is too long");
      }
    },
    onPayload(piece, frame) {
      if (isControl(frame)) return control.add(piece);
      command.add(piece);
      commandBytes += piece.length;
      if (commandBytes > smallCommandBytes) turn.take();
    },
    onFrameEnd(frame) {
      if (isControl(frame)) answerControl(frame, control.take());
      else if (frame.isLast) passOn();
    },
  });
  const control = new ChunkList();
  client.on("data", (piece: Buffer) => {
    if (isEnding) return;
    isAlive = true;
    try {
      commands.read(piece);
    } catch (error) {
      return end(error instanceof FrameError ? error.code : closeCodes.protocolError);
    }
    adjust();
  });

  function passOn(): void {
    const text = command.take().toString();
    commandBytes = 0;
    onTraffic();
    const verdict = judge(text);
    const giveBack = turn.leave();
    if ("refusal" in verdict) {
      giveBack();
      answers.tell(writeFrame(opcodes.text, Buffer.from(verdict.refusal)));
      return;
    }
    onCommand?.(verdict.method);
    const [head, payload] = writeFrame(opcodes.text, Buffer.from(verdict.command), true) as [Buffer, Buffer];
    browser.write(head);
    // The turn lasts until the browser has taken what was sent in it.
    browser.write(payload, () => giveBack());
  }

  function answerControl({ opcode }: Frame, payload: Buffer): void {
    if (opcode === opcodes.close) end(payload.length >= 2 ? payload.readUInt16BE() : closeCodes.goingAway);
    if (opcode === opcodes.ping) answers.tell(writeFrame(opcodes.pong, payload));
  }

  function end(code: number = closeCodes.goingAway): void {
    if (isEnding) return;
    isEnding = true;
    turn.leave()();
    answers.end(code);
    if (browser.writable) for (const part of closeFrame(closeCodes.goingAway, true)) browser.write(part);
    for (const side of [client, browser]) {
      side.end();
      // What still arrives is read and dropped, so that the close frame of the other side is received.
      side.resume();
      setTimeout(() => side.destroy(), closeMs).unref();
    }
  }

  const ended = new Promise<void>((done) => client.once("close", () => done()));
  for (const side of [client, browser]) {
    for (const event of ["error", "end", "close"]) side.on(event, () => end());
  }

  return {
    ended,
    end: () => end(),
    ping() {
      if (!isAlive && !turn.isAwaited()) return void client.destroy();
      isAlive = false;
      answers.tell(writeFrame(opcodes.ping, Buffer.alloc(0)));
    },
  };
}

function passAnswers(
  { client, browser, onTraffic }: Pick<DevtoolsPairOptions, "client" | "browser" | "onTraffic">,
  onFault: () => void,
) {
  let waiting: Buffer[] = [];
  let isEnding = false;
  const reader = createFrameReader({});
  const flush = () => {
    for (const frame of waiting) client.write(frame);
    waiting = [];
  };
  browser.on("data", (piece: Buffer) => {
    if (isEnding) return;
    onTraffic();
    let boundary = -1;
    try {
      boundary = reader.read(piece);
    } catch {
      return onFault();
    }
    if (waiting.length > 0 && boundary >= 0) {
      client.write(piece.subarray(0, boundary));
      flush();
      if (boundary < piece.length) client.write(piece.subarray(boundary));
    } else {
      client.write(piece);
    }
    if (client.writableNeedDrain) browser.pause();
  });
  return {
    /** Puts frames of ours between the browser's messages. */
    tell(frames: Buffer[]): void {
      waiting.push(...frames);
      if (reader.isBetweenMessages()) flush();
    },
    /** Of those frames, what waits for the end of a message. */
    waitingBytes: () => waiting.reduce((sum, { length }) => sum + length, 0),
    end(code: number): void {
      isEnding = true;
      // In the middle of an answer no close frame can be sent.
      if (reader.isBetweenMessages() && client.writable) for (const part of closeFrame(code)) client.write(part);
    },
  };
}

function createTurn(takeTurn: DevtoolsPairOptions["takeTurn"], onTurn: () => void) {
  const nothing = () => {};
  let current: { giveBack?: () => void } | null = null;
  return {
    /** Once for each command, however often it is called. */
    take(): void {
      if (current !== null) return;
      const asked: { giveBack?: () => void } = {};
      current = asked;
      void takeTurn().then((giveBack) => {
        if (current !== asked) return giveBack();
        asked.giveBack = giveBack;
        onTurn();
      });
    },
    isAwaited: () => current !== null && current.giveBack === undefined,
    /** Returns how the turn is given back, if there was one. */
    leave(): () => void {
      const giveBack = current?.giveBack ?? nothing;
      current = null;
      return giveBack;
    },
  };
}

/** The text for the browser, or the one that answers the client instead. */
function judge(text: string): { command: string; method: string } | { refusal: string } {
  let command: DevtoolsCommand | null = null;
  try {
    command = JSON.parse(text) as DevtoolsCommand | null;
    if (isNestedBeyond(command, maxLevels)) throw new RangeError("nested too deeply");
    const judgement = judgeCommand(command ?? {});
    if ("refusal" in judgement) return { refusal: refusal(command, serverError, judgement.refusal) };
    // Serialized again: the browser reads exactly what was checked, even with repeated names.
    return { command: JSON.stringify(judgement.command), method: String(judgement.command.method) };
  } catch {
    return { refusal: refusal(command, parseError, "A command must be JSON, and not too deeply nested.") };
  }
}

/** Some versions of Node can read and write any depth; what comes after them cannot. */
function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((below) => isNestedBeyond(below, levels - 1));
}

function refusal(command: DevtoolsCommand | null, code: number, message: string): string {
  const { id, sessionId } = command ?? {};
  return JSON.stringify({
    ...(typeof id === "number" ? { id } : {}),
    ...(typeof sessionId === "string" && sessionId.length <= maxSessionIdLength ? { sessionId } : {}),
    error: { code, message },
  });
}
