// What the pages of the dashboard ask that the API does not have: who is signed in, keys, people, charts, forms. Everything else
// they ask of the API itself.
import { z } from "zod";
import { emptyBody, nameField, queryBoolean, success, time } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";

const role = z.enum(["owner", "member"]);
const label = (description: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^[^\p{C}]*$/u, "must have no control characters")
    .describe(description);
const signInName = label("What to sign in with: a name or an email address");
const password = z.string().min(12, "A password has at least 12 characters").max(256);
const secret = z.string().min(1).max(128);

/** What a sign-in leaves in the browser. The value goes into the cookie and is no part of the response. */
const cookie = z.object({ secret: z.string(), expiresAt: z.number(), isSecure: z.boolean() }).nullable();
interface WithCookie {
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
  /** Null in open mode, where nobody signs in. */
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

const key = z.object({
  id: z.string(),
  name: z.string(),
  lastFour: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
  requestsPerMinute: z.number().nullable(),
  creditsPerMonth: z.number().nullable(),
});

const range = z.enum(["24h", "7d", "30d"]).prefault("24h").describe("How far back");
const counts = {
  requests: z.number(),
  failed: z.number(),
  pages: z.number(),
  cacheHits: z.number(),
  credits: z.number(),
};
const latency = { p50Ms: z.number().nullable(), p95Ms: z.number().nullable() };
const part = z.object({ name: z.string(), ...counts });
const overview = z.object({
  success,
  total: z.object({ ...counts, ...latency }),
  /** By hour for a day, else by day; oldest first, without gaps. */
  steps: z.array(z.object({ at: time, ...counts, ...latency })),
  endpoints: z.array(part),
  keys: z.array(part),
  causes: z.array(z.object({ name: z.string(), requests: z.number() })),
});

const finding = z.object({
  subject: z.string(),
  state: z.enum(["ok", "absent", "failed"]),
  message: z.string(),
  fix: z.string().optional(),
});

const index = z.object({
  success,
  isOn: z.boolean(),
  pages: z.number(),
  bytes: z.number(),
  hosts: z.array(z.object({ host: z.string(), pages: z.number() })),
});

const settings = z.object({
  success,
  sections: z.array(
    z.object({
      name: z.string(),
      settings: z.array(
        z.object({
          name: z.string(),
          /** What is in effect; null for a secret, of which only `isSet` is told. */
          value: z.string().nullable(),
          isSet: z.boolean(),
          description: z.string(),
        }),
      ),
    }),
  ),
});

const member = { tag: "Dashboard", rateGroup: "status", signedIn: "member" } as const;
const owner = { ...member, signedIn: "owner" } as const;
const done = z.object({ success });

export const dashboardEndpoints = [
  endpoint({
    tag: "Dashboard",
    rateGroup: null,
    method: "POST",
    path: "/dashboard/api/sign-in",
    summary: "Sign in by a link, or by a name and a password",
    operation: "signIn",
    body: z
      .strictObject({
        link: secret.optional().describe("The secret of a link"),
        name: label("Your name, for an invitation").optional(),
        signInName: z.string().max(64).optional(),
        password: z.string().max(256).optional(),
      })
      .refine(({ link, signInName: named, password: word }) => link !== undefined || (named && word), {
        message: "Send link, or signInName and password",
      }),
    response: z.object({ success, cookie }),
    responseHeaders: sessionCookie,
    toResponse: withoutCookie,
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
    summary: "Remove somebody from the team",
    operation: "removePerson",
    params: z.strictObject({ personId: nameField("Id of the person") }),
    response: done,
    notFound: "PERSON_NOT_FOUND",
  }),
  endpoint({
    ...owner,
    method: "POST",
    path: "/dashboard/api/invitations",
    summary: "Make a link by which somebody joins the team",
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
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/keys",
    summary: "List the API keys of the team",
    operation: "listApiKeys",
    response: z.object({ success, keys: z.array(key) }),
  }),
  endpoint({
    ...owner,
    method: "POST",
    path: "/dashboard/api/keys",
    summary: "Create an API key",
    operation: "createApiKey",
    body: z.strictObject({
      name: label("Name of the key"),
      requestsPerMinute: z.int().min(1).max(10_000_000).nullish().describe("Of this key, in each group of endpoints"),
      creditsPerMonth: z.int().min(1).max(1_000_000_000).nullish().describe("Of this key, in a calendar month"),
    }),
    response: z.object({ success, id: z.string(), key: z.string().describe("Shown only here") }),
  }),
  endpoint({
    ...owner,
    method: "DELETE",
    path: "/dashboard/api/keys/{keyId}",
    summary: "Revoke an API key",
    operation: "revokeApiKey",
    params: z.strictObject({ keyId: nameField("Id of the key") }),
    response: done,
    notFound: "KEY_NOT_FOUND",
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/overview",
    summary: "Get what the team's requests came to",
    operation: "readOverview",
    query: z.strictObject({ range }),
    response: overview,
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/usage.csv",
    summary: "Get the usage by day, key and endpoint",
    operation: "exportUsage",
    response: z.string(),
    responseType: "text/csv; charset=utf-8",
    responseHeaders: {
      "content-disposition": {
        description: "A file name",
        read: () => 'attachment; filename="trawl-usage.csv"',
      },
    },
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/forms/{operation}",
    summary: "Get the fields of a request",
    operation: "readForm",
    params: z.strictObject({
      operation: z.enum(["scrape", "startCrawl", "map", "search", "startExtract", "parse", "startAgent"]),
    }),
    response: z.object({
      success,
      method: z.string(),
      path: z.string(),
      required: z.array(z.string()),
      /** JSON Schema of each field. */
      fields: z.record(z.string(), z.record(z.string(), z.unknown())),
    }),
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/connect",
    summary: "Get the lines that point other tools to this server",
    operation: "listTools",
    response: z.object({
      success,
      tools: z.array(z.object({ tool: z.string(), use: z.string(), speaks: z.string(), lines: z.array(z.string()) })),
    }),
  }),
  endpoint({
    ...owner,
    method: "GET",
    path: "/dashboard/api/settings",
    summary: "Get what is configured",
    operation: "listSettings",
    response: settings,
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/health",
    summary: "Check what this server depends on",
    operation: "checkServer",
    query: z.strictObject({
      subject: z.string().max(64).optional().describe("Only this one"),
      quick: queryBoolean().prefault(false).describe("Leave out what asks other servers"),
    }),
    response: z.object({ success, findings: z.array(finding) }),
  }),
  endpoint({
    ...member,
    method: "GET",
    path: "/dashboard/api/index",
    summary: "Get the size of the local index and its hosts",
    operation: "readIndex",
    response: index,
  }),
  endpoint({
    ...member,
    method: "DELETE",
    path: "/dashboard/api/index",
    summary: "Remove a page, or all pages of a host, from the local index",
    operation: "removeFromIndex",
    query: z.strictObject({ place: z.string().min(1).max(2048).describe("URL or host") }),
    response: z.object({ success, removed: z.number() }),
  }),
];
