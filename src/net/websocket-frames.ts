// Frames of the WebSocket protocol (RFC 6455), read piece by piece as their bytes pass. What a library gives out are whole
// messages, which it holds until their last byte is there; here a message of any size needs no more memory than its pieces.
import { createHash } from "node:crypto";

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  isLast: boolean;
  opcode: number;
  length: number;
  /** Four bytes, on frames of clients. */
  mask: Buffer | null;
}

export interface FrameListener {
  onFrame?(frame: Frame): void;
  /** Unmasked, in place. */
  onPayload?(piece: Buffer, frame: Frame): void;
  onFrameEnd?(frame: Frame): void;
}

/** The peer does not keep to the protocol; `code` is sent to it when the connection is closed. */
export class FrameError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const closeCodes = { goingAway: 1001, protocolError: 1002, tooLarge: 1009 } as const;

const longestHead = 14;
const maxControlBytes = 125;
const knownOpcodes = new Set<number>(Object.values(opcodes));

/** Answers, for each piece, where in it the last whole message ended; -1 when none did. Throws FrameError. */
export function createFrameReader({ onFrame, onPayload, onFrameEnd }: FrameListener): {
  read(piece: Buffer): number;
  /** Whether everything that began has ended: only then may something of ours be put in. */
  isBetweenMessages(): boolean;
} {
  const head = Buffer.alloc(longestHead);
  let headLength = 0;
  let frame: Frame | null = null;
  let passed = 0;
  let isInMessage = false;

  /** The frame that begins with this byte's head, once all of that is there. */
  function takeHead(byte: number): Frame | null {
    head[headLength] = byte;
    headLength += 1;
    const started = parseHead(head, headLength);
    if (started === null) return null;
    headLength = 0;
    passed = 0;
    if (!isControl(started)) isInMessage = true;
    onFrame?.(started);
    return started;
  }

  return {
    isBetweenMessages: () => frame === null && headLength === 0 && !isInMessage,
    read(piece) {
      let boundary = -1;
      let at = 0;
      while (at < piece.length) {
        if (frame === null) {
          frame = takeHead(piece[at] as number);
          at += 1;
          if (frame === null) continue;
        }
        const part = piece.subarray(at, at + frame.length - passed);
        if (part.length > 0) {
          if (frame.mask !== null) applyMask(part, frame.mask, passed);
          passed += part.length;
          at += part.length;
          onPayload?.(part, frame);
        }
        if (passed < frame.length) break;
        const ended = frame;
        frame = null;
        if (!isControl(ended) && ended.isLast) isInMessage = false;
        onFrameEnd?.(ended);
        if (!isInMessage) boundary = at;
      }
      return boundary;
    },
  };
}

export function isControl({ opcode }: Frame): boolean {
  return opcode >= opcodes.close;
}

function parseHead(bytes: Buffer, known: number): Frame | null {
  if (known < 2) return null;
  const first = bytes[0] as number;
  const second = bytes[1] as number;
  const frame = { isLast: (first & 0x80) !== 0, opcode: first & 0x0f };
  const short = second & 0x7f;
  if ((first & 0x70) !== 0 || !knownOpcodes.has(frame.opcode)) {
    throw new FrameError(closeCodes.protocolError, "an unknown kind of frame");
  }
  if (frame.opcode >= opcodes.close && (short > maxControlBytes || !frame.isLast)) {
    throw new FrameError(closeCodes.protocolError, "a control frame that is too long");
  }
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const size = 2 + extended + (isMasked ? 4 : 0);
  if (known < size) return null;
  const length = extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (!Number.isSafeInteger(length)) throw new FrameError(closeCodes.tooLarge, "a frame that is too long");
  return { ...frame, length, mask: isMasked ? Buffer.from(bytes.subarray(size - 4, size)) : null };
}

function applyMask(bytes: Buffer, mask: Buffer, passed: number): void {
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = (bytes[at] as number) ^ (mask[(passed + at) & 3] as number);
  }
}

/**
 * A whole frame. Frames to a server must be masked; where nothing lies between, the mask may be zero, which leaves the
 * payload as it is.
 */
export function writeFrame(opcode: number, payload: Buffer, toServer = false): Buffer[] {
  const { length } = payload;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended + (toServer ? 4 : 0));
  head[0] = 0x80 | opcode;
  head[1] = (toServer ? 0x80 : 0) | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(length, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return [head, payload];
}

export function closeFrame(code: number, toServer = false): Buffer[] {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return writeFrame(opcodes.close, payload, toServer);
}

/** What a server answers to a client's Sec-WebSocket-Key. */
export function acceptKey(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}
