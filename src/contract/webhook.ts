// Where a job reports its events (API.md 2.6). A bare address means all events.
import { z } from "zod";
import { headersField, urlField } from "./fields.ts";

/** The resolved form: always an object, always with the events it wants, by their short names. */
export interface Webhook<Event extends string = string> {
  url: string;
  headers: Record<string, string>;
  metadata: Record<string, unknown>;
  events: Event[];
}

/** `prefix.event` is accepted for `event`; an empty list means all events. */
export function webhookField<const Event extends string>(id: string, prefix: string, events: readonly Event[]) {
  const shortNames = new Map<string, Event>(
    events.flatMap((event) => [
      [event, event],
      [`${prefix}.${event}`, event],
    ]),
  );
  const eventField = z.enum([...shortNames.keys()]).transform((name) => shortNames.get(name) as Event);
  const address = urlField("Address that receives the events");
  return z
    .union([
      address.transform((url): Webhook<Event> => ({ url, headers: {}, metadata: {}, events: [...events] })),
      z
        .strictObject({
          url: address,
          headers: headersField("HTTP headers to send along").default({}),
          metadata: z.record(z.string(), z.unknown()).default({}).describe("Sent back with every event"),
          events: z.array(eventField).max(64).prefault([]).describe("Which events to send; empty means all"),
        })
        .transform(
          (webhook): Webhook<Event> => ({
            ...webhook,
            events: webhook.events.length > 0 ? [...new Set(webhook.events)] : [...events],
          }),
        ),
    ])
    .meta({ id, description: "An address, or an object with the address and what to send there" });
}
