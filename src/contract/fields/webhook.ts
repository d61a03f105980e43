// Where a job sends its events. A bare URL means all events.
import * as z from "zod";
import { headersField, urlField } from "./common-fields.ts";

/** The resolved form: always an object, with the subscribed events by their short names. */
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
  const target = urlField("URL that receives the events");
  return z
    .union([
      target.transform((url): Webhook<Event> => ({ url, headers: {}, metadata: {}, events: [...events] })),
      z
        .strictObject({
          url: target,
          headers: headersField("HTTP headers to send with each event").default({}),
          metadata: z.record(z.string(), z.unknown()).default({}).describe("Returned with every event"),
          events: z.array(eventField).max(64).prefault([]).describe("Events to send; all when empty"),
        })
        .transform(
          (webhook): Webhook<Event> => ({
            ...webhook,
            events: webhook.events.length > 0 ? [...new Set(webhook.events)] : [...events],
          }),
        ),
    ])
    .meta({ id, description: "A URL, or an object with the URL and what to send" });
}
