// What a team lets its flows type without showing it: passwords and keys of one-time codes.
import * as z from "zod";
import { senderKeys, success, time } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const name = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, "Must be 1 to 64 letters, digits, dots, underscores or hyphens")
  .describe("Name of the secret; flows type it as {{secret:NAME}}");
const type = z.enum(["text", "totp"]);

const body = z.strictObject({
  name,
  type: type.describe("totp: the key of one-time codes, in base32 or as an otpauth:// URI"),
  value: z.string().min(1).max(4096).describe("The secret; never returned"),
  hosts: z
    .array(z.string().max(260))
    .min(1)
    .max(20)
    .describe("Hosts it may be typed on, with their subdomains; host:port for one port only"),
  ...senderKeys,
});

const secret = z
  .object({
    name: z.string(),
    type,
    hosts: z.array(z.string()),
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time.nullable(),
  })
  .meta({ id: "Secret", description: "A secret without its value" });

const endpoint = section({ tag: "Team", group: "team", rateGroup: "status" });

export const secretEndpoints = [
  endpoint("POST /v2/team/secrets", "putSecret", "Store a secret, or replace the one of this name", {
    body,
    response: z.object({ success, secret }),
  }),
  endpoint("GET /v2/team/secrets", "listSecrets", "List secrets, without their values", {
    response: z.object({ success, secrets: z.array(secret) }),
  }),
  endpoint("DELETE /v2/team/secrets/{name}", "deleteSecret", "Delete a secret", {
    params: z.strictObject({ name: z.string().max(256).describe("Name of the secret") }),
    response: z.object({ success }),
    notFound: "SECRET_NOT_FOUND",
  }),
];
