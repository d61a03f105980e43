// Sign-in by the identity provider of a company (OpenID Connect).
import { splitList } from "../base/index.ts";
import { flag, optional, optionalUrl, setting, text } from "./setting.ts";

const list = { takes: "a comma-separated list", read: (value: string): string[] | undefined => splitList(value) };

export const signInSettings = {
  oidcIssuer: optionalUrl(
    "OIDC_ISSUER",
    "Issuer of the identity provider that people sign in to the dashboard with: https, or http on this machine.",
  ),
  oidcClientId: optional("OIDC_CLIENT_ID", "Id of this server as a client of the provider; required with OIDC_ISSUER."),
  oidcClientSecret: optional("OIDC_CLIENT_SECRET", "Its secret; without one it is a public client."),
  oidcName: setting("OIDC_NAME", text, "Company account", "Text of the button: Sign in with ….") as ReturnType<
    typeof setting<string>
  >,
  oidcScopes: setting("OIDC_SCOPES", text, "openid email profile", "Scopes to ask for.") as ReturnType<
    typeof setting<string>
  >,
  oidcAllowedDomains: setting(
    "OIDC_ALLOWED_DOMAINS",
    list,
    [] as string[],
    "Domains of verified email addresses that may sign in, without their subdomains; `*` lets in anyone the provider " +
      "lets in. Required with OIDC_ISSUER.",
  ),
  oidcTeam: setting(
    "OIDC_TEAM",
    text,
    "default",
    "Team that newcomers join; it is created if it does not exist.",
  ) as ReturnType<typeof setting<string>>,
  oidcRoleClaim: optional(
    "OIDC_ROLE_CLAIM",
    "Claim of the ID token that says who is an owner: a name or a dotted path, such as groups or realm_access.roles.",
  ),
  oidcOwnerValues: setting("OIDC_OWNER_VALUES", list, [] as string[], "Values of that claim that make an owner."),
  oidcMemberValues: setting(
    "OIDC_MEMBER_VALUES",
    list,
    [] as string[],
    "Values of that claim that make a member. When set, people with neither are refused.",
  ),
  oidcOnly: setting(
    "OIDC_ONLY",
    flag,
    false,
    "1: passwords, passkeys and invitations are off; links of `trawl dashboard-link` still work.",
  ),
};

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

export function checkSignInSettings(settings: {
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcAllowedDomains: readonly string[];
  oidcOnly: boolean;
}): string | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcAllowedDomains: domains, oidcOnly } = settings;
  if ((issuer === null) !== (clientId === null)) return "OIDC_ISSUER and OIDC_CLIENT_ID are required together.";
  if (issuer === null) return oidcOnly ? "OIDC_ONLY requires OIDC_ISSUER: without it no person could sign in." : null;
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== "https:" && !loopback.test(hostname)) return "OIDC_ISSUER must be an https URL.";
  if (domains.length > 0) return null;
  return "OIDC_ALLOWED_DOMAINS is required with OIDC_ISSUER: the email domains that may sign in, or * for everyone.";
}
