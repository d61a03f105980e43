// Who is signed in to the dashboard: links, passkeys and passwords, the team in view, its people.
import * as z from "zod";
import { emptyBody, nameField, shortLabel, success, time } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";

const role = z.enum(["owner", "member"]);
const signInName = shortLabel("What to sign in with: a name or an email address");
const password = z.string().min(12, "A password has at least 12 characters").max(256);
const secret = z.string().min(1).max(128);
const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/, "must be base64url");
const clientDataJSON = bytes(4096).describe("What the browser says about where and why it asked");
const authenticatorData = bytes(4096).describe("What the device says");
const passkeyId = bytes(1400);
const challenge = { challenge: z.string(), host: z.string().describe("What the passkey belongs to") };

/** What a sign-in leaves in the browser. The value goes into the cookie and is no part of the response. */
const cookie = z.object({ secret: z.string(), expiresAt: z.number(), isSecure: z.boolean() }).nullable();
export interface WithCookie {
  cookie?: z.output<typeof cookie>;
}

const sessionCookie = {
  "set-cookie": {
    description: "The session, in a cookie that scripts cannot read",
    read: ({ cookie: made }: WithCookie) => (made === undefined ? undefined : cookieText(made)),
  },
};

function cookieText(made: z.output<typeof cookie>): string {
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

/** For people who are signed in, whatever their role; then for owners alone. */
export const member = { tag: "Dashboard", rateGroup: "status", signedIn: "member" } as const;
export const owner = { ...member, signedIn: "owner" } as const;
const done = z.object({ success });

export const peopleEndpoints = [
  endpoint({
    tag: "Dashboard",
    rateGroup: null,
    method: "POST",
    path: "/dashboard/api/sign-in",
    summary: "Sign in by a link, a passkey, or a name and a password",
    operation: "signIn",
    body: z
      .strictObject({
        link: secret.optional().describe("The secret of a link"),
        name: shortLabel("Your name, for an invitation").optional(),
        passkey: z
          .strictObject({ id: passkeyId, clientDataJSON, authenticatorData, signature: bytes(2048) })
          .optional()
          .describe("What a device answered to a challenge"),
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
  endpoint({
    tag: "Dashboard",
    rateGroup: null,
    method: "POST",
    path: "/dashboard/api/sign-in/challenge",
    summary: "Get what a passkey signs to sign in",
    operation: "startPasskeySignIn",
    body: emptyBody,
    response: z.object({ success, ...challenge }),
  }),
  endpoint({
    ...member,
    method: "POST",
    path: "/dashboard/api/sign-out",
    summary: "Sign out",
    operation: "signOut",
    body: emptyBody,
    response: z.object({ success, cookie }),
    responseHeaders: sessionCookie,
    toResponse: withoutCookie,
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/session",
    summary: "Get who is signed in",
    operation: "readSession",
    response: session,
    responseHeaders: sessionCookie,
    toResponse: withoutCookie,
  }),
  endpoint({
    ...member,
    method: "POST",
    path: "/dashboard/api/session/team",
    summary: "Switch to another team",
    operation: "switchTeam",
    body: z.strictObject({ teamId: z.string().max(64) }),
    response: done,
  }),
  endpoint({
    ...member,
    method: "PUT",
    path: "/dashboard/api/password",
    summary: "Set the password",
    operation: "setPassword",
    body: z.strictObject({ signInName, password, current: z.string().max(256).optional() }),
    response: done,
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/passkeys",
    summary: "List your passkeys",
    operation: "listPasskeys",
    response: z.object({
      success,
      passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: time, lastUsedAt: time.nullable() })),
    }),
  }),
  endpoint({
    ...member,
    method: "POST",
    path: "/dashboard/api/passkeys/challenge",
    summary: "Get what a device needs to make a passkey",
    operation: "startPasskey",
    body: emptyBody,
    response: z.object({
      success,
      ...challenge,
      person: z.object({ id: z.string(), name: z.string() }),
      known: z.array(z.string()).describe("Ids of the passkeys that there are"),
    }),
  }),
  endpoint({
    ...member,
    method: "POST",
    path: "/dashboard/api/passkeys",
    summary: "Add a passkey",
    operation: "addPasskey",
    body: z.strictObject({
      name: shortLabel("Name of the device"),
      clientDataJSON,
      authenticatorData,
      publicKey: bytes(2048).describe("SPKI"),
    }),
    response: z.object({ success, id: z.string() }),
  }),
  endpoint({
    ...member,
    method: "DELETE",
    path: "/dashboard/api/passkeys/{passkeyId}",
    summary: "Remove a passkey",
    operation: "removePasskey",
    params: z.strictObject({ passkeyId }),
    response: done,
    notFound: "PASSKEY_NOT_FOUND",
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/people",
    summary: "List the people of the team",
    operation: "listPeople",
    response: z.object({
      success,
      people: z.array(
        z.object({ id: z.string(), name: z.string(), signInName: z.string().nullable(), role, since: time }),
      ),
    }),
  }),
  endpoint({
    ...owner,
    method: "PATCH",
    path: "/dashboard/api/people/{personId}",
    summary: "Change somebody's role",
    operation: "setPersonRole",
    params: z.strictObject({ personId: nameField("Id of the person") }),
    body: z.strictObject({ role }),
    response: done,
    notFound: "PERSON_NOT_FOUND",
  }),
  endpoint({
    ...owner,
    method: "DELETE",
    path: "/dashboard/api/people/{personId}",
    summary: "Remove a member from the team",
    operation: "removePerson",
    params: z.strictObject({ personId: nameField("Id of the person") }),
    response: done,
    notFound: "PERSON_NOT_FOUND",
  }),
  endpoint({
    ...owner,
    method: "POST",
    path: "/dashboard/api/invitations",
    summary: "Create a link that invites a person to the team",
    operation: "createInvitation",
    body: z.strictObject({ role }),
    response: z.object({ success, url: z.string(), expiresAt: time }),
  }),
  endpoint({
    ...member,
    method: "POST",
    path: "/dashboard/api/invitations/accept",
    summary: "Join one more team",
    operation: "acceptInvitation",
    body: z.strictObject({ link: secret }),
    response: done,
  }),
];
