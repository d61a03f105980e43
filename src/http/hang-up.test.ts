import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { expect, it } from "vitest";
import { hangUpSignal } from "./routes.ts";

it("knows of a client that hung up before, as of one that hangs up later", async () => {
  const respond = () => new ServerResponse(new IncomingMessage(new Socket()));
  const signalOf = (raw: ServerResponse) => hangUpSignal({ raw } as FastifyReply);
  expect(signalOf(respond().destroy()).aborted).toBe(true);
  const raw = respond();
  const signal = signalOf(raw);
  expect(signal.aborted).toBe(false);
  raw.emit("close");
  expect(signal.aborted).toBe(true);
});
