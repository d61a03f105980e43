// People whom the identity provider of their company vouches for: who is let in, into which team, and as what.
import { type Clock, newId } from "../base/index.ts";
import type { PersonRole, Statements, Store, Team } from "../store/index.ts";
import { auditRow, originOf, personActor, type RequestOrigin, systemActor } from "./audit.ts";
import type { People } from "./people.ts";
import type { OpenedSession } from "./person-sessions.ts";
import type { Teams } from "./teams.ts";

export interface ProvidedPeopleOptions {
  /** Of verified email addresses; `*`: any. */
  allowedDomains: readonly string[];
  team: string;
  /** A name or a dotted path; null: roles are given here. */
  roleClaim: string | null;
  ownerValues: readonly string[];
  memberValues: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>> & { iss: string; sub: string };

/** The domain, the email or the role is not one that is let in. */
type SignInRefusal = { refused: "domain" | "email" | "role" | "removed" };

export type ProvidedPeople = ReturnType<typeof createProvidedPeople>;

interface Deps {
  store: Store;
  clock: Clock;
  people: Pick<People, "signInTo">;
  teams: Pick<Teams, "findOrCreate">;
}

export function createProvidedPeople({ store, clock, people, teams }: Deps, options: ProvidedPeopleOptions) {
  const { team: teamName, roleClaim } = options;

  async function noteRefusal(
    { id }: Team,
    claims: Claims,
    refusal: SignInRefusal,
    origin: RequestOrigin,
  ): Promise<SignInRefusal> {
    const actor = { ...systemActor, ...originOf(origin), name: nameOf(claims) };
    const target = { type: "person", id: null, name: nameOf(claims) };
    const details = { by: "oidc", refused: refusal.refused };
    const act = { action: "person.sign_in_failed", target, details };
    await store.audit.add([auditRow(id, actor, clock.now(), act)]);
    return refusal;
  }

  /** Of the claim, where one is configured; null leaves it as it is. */
  async function setRole(on: Statements, teamId: string, personId: string, wanted: PersonRole | null): Promise<void> {
    const all = await on.people.listOfTeam(teamId);
    const own = all.find(({ id }) => id === personId);
    if (wanted === null || own === undefined || own.role === wanted) return;
    const isLastOwner = own.role === "owner" && all.filter(({ role }) => role === "owner").length === 1;
    if (isLastOwner) return;
    const now = clock.now();
    await on.people.join(teamId, personId, wanted, now);
    const target = { type: "person", id: personId, name: own.name };
    const details = { before: { role: own.role }, after: { role: wanted }, by: "oidc" };
    await on.audit.add([auditRow(teamId, systemActor, now, { action: "person.role_changed", target, details })]);
  }

  async function create(on: Statements, teamId: string, claims: Claims, role: PersonRole, origin: RequestOrigin) {
    const now = clock.now();
    const person = { id: newId(now), name: nameOf(claims) };
    // The email never joins two people: whoever signs in by it already keeps it.
    const email = textOf(claims["email"]).toLowerCase().slice(0, 64);
    const signInName = email === "" || (await on.people.findBySignInName(email)) ? null : email;
    await on.people.insert({ ...person, createdAt: now, signInName, issuer: claims.iss, subject: claims.sub });
    await on.people.join(teamId, person.id, role, now);
    const target = { type: "person", ...person };
    const actor = personActor(person.id, person.name, origin);
    await on.audit.add([auditRow(teamId, actor, now, { action: "person.joined", target, details: { by: "oidc" } })]);
    return person;
  }

  return {
    async signIn(claims: Claims, origin: RequestOrigin): Promise<OpenedSession | SignInRefusal> {
      const team = await teams.findOrCreate(teamName);
      const refusal = refusalOf(claims, options);
      if (refusal !== null) return noteRefusal(team, claims, refusal, origin);
      const role = roleClaim === null ? null : roleOf(claims, options);
      const opened = await store.transaction(async (on) => {
        const known = await on.people.findProvided(claims.iss, claims.sub);
        const person = known ?? (await create(on, team.id, claims, role ?? "member", origin));
        const [first] = await on.people.listTeams(person.id);
        // Whom an owner has removed does not come back by signing in.
        if (first === undefined) return null;
        await setRole(on, team.id, person.id, role);
        return people.signInTo(on, first.teamId, person, { by: "oidc", origin });
      });
      return opened ?? noteRefusal(team, claims, { refused: "removed" }, origin);
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.normalize("NFKC").replace(/\p{C}/gu, "").trim() : "";
}

function nameOf({ name, email, sub }: Claims): string {
  return (textOf(name) || textOf(email) || textOf(sub)).slice(0, 64) || "Person";
}

function refusalOf(claims: Claims, options: ProvidedPeopleOptions): SignInRefusal | null {
  const { allowedDomains, memberValues } = options;
  if (!allowedDomains.includes("*")) {
    // The domain is what follows the last @: a quoted name may hold another.
    const [, domain = ""] = /@([^@\s]+)$/.exec(textOf(claims["email"]).toLowerCase()) ?? [];
    if (claims["email_verified"] !== true) return { refused: "email" };
    if (!allowedDomains.some((allowed) => allowed.toLowerCase() === domain)) return { refused: "domain" };
  }
  const isKnown = memberValues.length === 0 || valuesOf(claims, options).length > 0;
  return isKnown ? null : { refused: "role" };
}

function roleOf(claims: Claims, options: ProvidedPeopleOptions): PersonRole {
  return valuesOf(claims, options).some((value) => options.ownerValues.includes(value)) ? "owner" : "member";
}

/** Those of the claim that say who is owner and who is member. */
function valuesOf(claims: Claims, { roleClaim, ownerValues, memberValues }: ProvidedPeopleOptions): string[] {
  if (roleClaim === null) return [];
  const given = Object.hasOwn(claims, roleClaim) ? claims[roleClaim] : valueAt(claims, roleClaim.split("."));
  const texts = [given].flat().filter((value) => typeof value === "string");
  return texts.filter((value) => ownerValues.includes(value) || memberValues.includes(value));
}

function valueAt(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, first);
  return isObject ? valueAt((value as Record<string, unknown>)[first], rest) : undefined;
}
