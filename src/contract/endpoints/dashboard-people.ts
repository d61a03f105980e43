// Who is signed in to the dashboard: links, passkeys and passwords, the team in view, its people.
import * as z from "zod";
import { emptyBody, nameField, shortLabel, success, time } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const role = z.enum(["owner", "member"]);
const signInName = shortLabel("What to sign in with: a name or an email address");
const password = z.string().min(12, "Must have at least 12 characters").max(256);
const secret = z.string().min(1).max(128);
const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/, "Must be base64url");
const clientDataJSON = bytes(4096).describe("The client data of the browser, as in WebAuthn");
const authenticatorData = bytes(4096).describe("The authenticator data of the device, as in WebAuthn");
const passkeyId = bytes(1400);
const challenge = { challenge: z.string(), host: z.string().describe("Host that the passkey belongs to") };

/** What a sign-in leaves in the browser. The value goes into the cookie and is no part of the response. */
const cookie = z.object({ secret: z.string(), expiresAt: z.number(), isSecure: z.boolean() }).nullable();
export interface WithCookie {
  cookie?: z.output<typeof cookie>;
}

const sessionCookie = {
  "set-cookie": {
    description: "The session, in a cookie that scripts cannot read",
    read: ({ cookie: made }: WithCookie) => (made === undefined ? undefined : sessionCookieText(made)),
  },
};

export function sessionCookieText(made: z.output<typeof cookie>): string {
  const flags = "Path=/; HttpOnly; SameSite=Strict";
  if (made === null) return `${sessionCookieName}=; ${flags}; Max-Age=0`;
  const expires = new Date(made.expiresAt).toUTCString();
  return `${sessionCookieName}=${made.secret}; ${flags}; Expires=${expires}${made.isSecure ? "; Secure" : ""}`;
}

export const sessionCookieName = "trawl_session";

const withoutCookie = <Answer extends WithCookie>({ cookie: _, ...answer }: Answer) => answer;

const session = z.object({
  success,
  cookie: cookie.optional(),
  /** Null in open mode, which has no sign-in. */
  person: z
    .object({ id: z.string(), name: z.string(), signInName: z.string().nullable(), hasPassword: z.boolean() })
    .nullable(),
  team: z.object({ id: z.string(), name: z.string() }),
  role,
  teams: z.array(z.object({ id: z.string(), name: z.string(), role })),
  /** Sent back in the header x-trawl-csrf with everything that changes something. */
  csrf: z.string(),
  version: z.string(),
  baseUrl: z.string(),
});

const everybody = section({ tag: "Dashboard", rateGroup: null });
/** For people who are signed in, whatever their role; then for owners alone. */
export const member = section({ tag: "Dashboard", rateGroup: "status", signedIn: "member" });
export const owner = section({ tag: "Dashboard", rateGroup: "status", signedIn: "owner" });
const done = z.object({ success });

export const peopleEndpoints = [
  everybody("POST /dashboard/api/sign-in", "signIn", "Sign in by a link, a passkey, or a name and a password", {
    body: z
      .strictObject({
        link: secret.optional().describe("The secret of a link"),
        name: shortLabel("Your name, for an invitation").optional(),
        passkey: z
          .strictObject({ id: passkeyId, clientDataJSON, authenticatorData, signature: bytes(2048) })
          .optional()
          .describe("The device's response to the challenge"),
        signInName: z.string().max(64).optional(),
        password: z.string().max(256).optional(),
      })
      .refine(({ link, passkey, signInName: named, password: word }) => link ?? passkey ?? (named && word), {
        message: "Send link, passkey, or signInName and password",
      }),
    response: z.object({ success, cookie }),
    responseHeaders: sessionCookie,
    toResponse: withoutCookie,
  }),
  everybody("GET /dashboard/api/sign-in/methods", "listSignInMethods", "List the ways to sign in", {
    response: z.object({
      success,
      password: z.boolean(),
      passkey: z.boolean(),
      oidc: z.object({ name: z.string() }).nullable(),
    }),
  }),
  everybody(
    "POST /dashboard/api/sign-in/challenge",
    "startPasskeySignIn",
    "Get the challenge for signing in with a passkey",
    {
      body: emptyBody,
      response: z.object({ success, ...challenge }),
    },
  ),
  member("POST /dashboard/api/sign-out", "signOut", "Sign out", {
    body: emptyBody,
    response: z.object({ success, cookie }),
    responseHeaders: sessionCookie,
    toResponse: withoutCookie,
  }),
  member("GET /dashboard/api/session", "readSession", "Get who is signed in", {
    response: session,
    responseHeaders: sessionCookie,
    toResponse: withoutCookie,
  }),
  member("POST /dashboard/api/session/team", "switchTeam", "Switch to another team", {
    body: z.strictObject({ teamId: z.string().max(64) }),
    response: done,
  }),
  member("PUT /dashboard/api/password", "setPassword", "Set the password", {
    body: z.strictObject({ signInName, password, current: z.string().max(256).optional() }),
    response: done,
  }),
  member("GET /dashboard/api/passkeys", "listPasskeys", "List your passkeys", {
    response: z.object({
      success,
      passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: time, lastUsedAt: time.nullable() })),
    }),
  }),
  member("POST /dashboard/api/passkeys/challenge", "startPasskey", "Get the challenge for creating a passkey", {
    body: emptyBody,
    response: z.object({
      success,
      ...challenge,
      person: z.object({ id: z.string(), name: z.string() }),
      known: z.array(z.string()).describe("Ids of the existing passkeys"),
    }),
  }),
  member("POST /dashboard/api/passkeys", "addPasskey", "Add a passkey", {
    body: z.strictObject({
      name: shortLabel("Name of the device"),
      clientDataJSON,
      authenticatorData,
      publicKey: bytes(2048).describe("SPKI"),
    }),
    response: z.object({ success, id: z.string() }),
  }),
  member("DELETE /dashboard/api/passkeys/{passkeyId}", "removePasskey", "Remove a passkey", {
    params: z.strictObject({ passkeyId }),
    response: done,
    notFound: "PASSKEY_NOT_FOUND",
  }),
  member("GET /dashboard/api/people", "listPeople", "List the people of the team", {
    response: z.object({
      success,
      people: z.array(
        z.object({ id: z.string(), name: z.string(), signInName: z.string().nullable(), role, since: time }),
      ),
    }),
  }),
  owner("PATCH /dashboard/api/people/{personId}", "setPersonRole", "Change a person's role", {
    params: z.strictObject({ personId: nameField("Id of the person") }),
    body: z.strictObject({ role }),
    response: done,
    notFound: "PERSON_NOT_FOUND",
  }),
  owner("DELETE /dashboard/api/people/{personId}", "removePerson", "Remove a member from the team", {
    params: z.strictObject({ personId: nameField("Id of the person") }),
    response: done,
    notFound: "PERSON_NOT_FOUND",
  }),
  owner("POST /dashboard/api/invitations", "createInvitation", "Create a link that invites a person to the team", {
    body: z.strictObject({ role }),
    response: z.object({ success, url: z.string(), expiresAt: time }),
  }),
  member("POST /dashboard/api/invitations/accept", "acceptInvitation", "Join another team", {
    body: z.strictObject({ link: secret }),
    response: done,
  }),
];
