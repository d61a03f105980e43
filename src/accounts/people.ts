// The people of teams: links that let them in once, passwords, and their roles.
import { type Clock, dayMs, minuteMs, newId, refusedField, ServiceError, sha256 } from "../base/index.ts";
import type { AuditRow, FoundSession, PersonRole, Statements, Store, TeamPerson } from "../store/index.ts";
import { type Actor, auditRow, personActor, type RequestOrigin } from "./audit.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { createPersonSessions, newSecret, type OpenedSession } from "./person-sessions.ts";

export interface PeopleDeps {
  store: Store;
  clock: Clock;
}

const linkMs = 15 * minuteMs;
const invitationMs = 7 * dayMs;
/** Wrong passwords for one name, in one window. */
const maxAttempts = 10;
const attemptWindowMs = 15 * minuteMs;
const ownersName = "Owner";

type FoundPerson = Pick<TeamPerson, "id" | "name">;

/** How somebody signs in, and from where. */
export interface SignInWay {
  by?: "link" | "invitation" | "password" | "passkey" | "oidc";
  origin: RequestOrigin;
}

export type People = ReturnType<typeof createPeople>;

export function createPeople({ store, clock }: PeopleDeps) {
  const { people } = store;
  const { openSession, signOut, ...sessions } = createPersonSessions({ people, clock });
  const acts = createPersonActs({ store, clock, openSession });
  const { createLink, createPerson, findOrCreateOwner, signInTo, personRow, noteFailure } = acts;

  /** Throws unless the link is valid; the caller uses it next. */
  async function requireLink(secret: string) {
    const link = await people.findLink(sha256(secret), clock.now());
    if (!link) throw new ServiceError("LINK_NOT_VALID");
    return link;
  }

  async function spendLink(on: Statements, hash: string): Promise<void> {
    if (!(await on.people.spendLink(hash))) throw new ServiceError("LINK_NOT_VALID");
  }

  /** Counted for all processes, before the password or the passkey is looked at. */
  async function countAttempt(name: string): Promise<void> {
    const now = clock.now();
    const windowStart = now - (now % attemptWindowMs);
    const window = { teamId: sha256(name), group: "sign-in", windowStart, count: 1, limit: maxAttempts };
    if ((await store.rates.reserve(window)).granted === 1) return;
    const retryAfterSeconds = Math.ceil((windowStart + attemptWindowMs - now) / 1000);
    throw new ServiceError("RATE_LIMITED", "Too many attempts to sign in. Try again later.", { retryAfterSeconds });
  }

  return {
    ...sessions,
    ...createRoles({ store, clock }),

    /** Whether anyone has ever signed in. */
    isEmpty: async () => (await people.count()) === 0,

    createSignInLink: (teamId: string) => createLink(store, teamId, "owner", false),

    createInvitation(teamId: string, role: PersonRole, actor: Actor) {
      return store.transaction(async (on) => {
        const target = { type: "invitation", id: null, name: role };
        await on.audit.add([auditRow(teamId, actor, clock.now(), { action: "person.invited", target })]);
        return createLink(on, teamId, role, true);
      });
    },

    /** `name`: of the person that an invitation creates. */
    async signInByLink(secret: string, name: string | undefined, origin: RequestOrigin): Promise<OpenedSession> {
      const { teamId, hash, isInvitation, role } = await requireLink(secret);
      if (isInvitation && name === undefined) {
        throw refusedField(["name"], "An invitation needs your name", "invalid_type");
      }
      return store.transaction(async (on) => {
        await spendLink(on, hash);
        const isNew = isInvitation && name !== undefined;
        const person = isNew ? await createPerson(on, teamId, name, role) : await findOrCreateOwner(on, teamId);
        if (isNew) await on.audit.add([personRow("joined", teamId, person, { origin })]);
        return signInTo(on, teamId, person, { by: isNew ? "invitation" : "link", origin });
      });
    },

    /** A person who is signed in joins another team. */
    async acceptInvitation(session: FoundSession, secret: string, origin: RequestOrigin): Promise<void> {
      const { teamId, hash, isInvitation, role } = await requireLink(secret);
      if (!isInvitation) throw new ServiceError("LINK_NOT_VALID");
      await store.transaction(async (on) => {
        await spendLink(on, hash);
        await on.people.join(teamId, session.personId, role, clock.now());
        await on.people.setTeam(session.id, teamId);
        const person = { id: session.personId, name: session.personName };
        await on.audit.add([personRow("joined", teamId, person, { origin })]);
      });
    },

    signInTo,
    noteFailure,

    countAttempt,

    /** A session in the first of the person's teams; null without a team. */
    async openFor(personId: string, way: SignInWay): Promise<OpenedSession | null> {
      const [team] = await people.listTeams(personId);
      const person = team && (await people.listOfTeam(team.teamId)).find(({ id }) => id === personId);
      return person ? store.transaction((on) => signInTo(on, team.teamId, person, way)) : null;
    },

    async signInByPassword(signInName: string, password: string, origin: RequestOrigin): Promise<OpenedSession> {
      const name = plainName(signInName);
      await countAttempt(name);
      const person = await people.findBySignInName(name);
      const isRight = await isPassword(password, person?.password ?? null);
      const [team] = person && isRight ? await people.listTeams(person.id) : [];
      const way = { by: "password", origin } as const;
      if (person && !isRight) await noteFailure(person, way);
      if (!person || !team) throw new ServiceError("SIGN_IN_FAILED");
      return store.transaction((on) => signInTo(on, team.teamId, person, way));
    },

    /** Requires the current password, if there is one. The person's other sessions end. */
    async setPassword(
      session: FoundSession,
      next: { signInName: string; password: string; current?: string | undefined },
      origin: RequestOrigin,
    ) {
      if (session.hasPassword) {
        const name = session.signInName ?? "";
        await countAttempt(name);
        const person = await people.findBySignInName(name);
        if (!(await isPassword(next.current ?? "", person?.password ?? null))) throw new ServiceError("SIGN_IN_FAILED");
      }
      const stored = await hashPassword(next.password);
      const { personId, personName, teamId } = session;
      const actor = personActor(personId, personName, origin);
      const act = { action: "password.changed", target: { type: "person", id: personId, name: personName } };
      await store.transaction(async (on) => {
        if (!(await on.people.setPassword(personId, plainName(next.signInName), stored))) {
          throw refusedField(["signInName"], "Another person signs in with this name");
        }
        await on.people.endOtherSessions(personId, session.id);
        await on.audit.add([auditRow(teamId, actor, clock.now(), act)]);
      });
    },

    signOut(session: FoundSession, origin: RequestOrigin): Promise<void> {
      return store.transaction(async (on) => {
        await signOut(on.people, session);
        const person = { id: session.personId, name: session.personName };
        await on.audit.add([personRow("signed_out", session.teamId, person, { origin })]);
      });
    },
  };
}

interface ActDeps extends PeopleDeps {
  openSession: ReturnType<typeof createPersonSessions>["openSession"];
}

/** What is done for people in a transaction, and the rows of the log about it. */
function createPersonActs({ store, clock, openSession }: ActDeps) {
  const { people } = store;

  async function createLink(on: Pick<Statements, "people">, teamId: string, role: PersonRole, isInvitation: boolean) {
    const secret = newSecret();
    const now = clock.now();
    const expiresAt = now + (isInvitation ? invitationMs : linkMs);
    await on.people.addLink({ hash: sha256(secret), teamId, role, isInvitation, createdAt: now, expiresAt });
    return { secret, expiresAt };
  }

  async function createPerson(on: Statements, teamId: string, name: string, role: PersonRole): Promise<FoundPerson> {
    const now = clock.now();
    const id = newId(now);
    await on.people.insert({ id, name, createdAt: now });
    await on.people.join(teamId, id, role, now);
    return { id, name };
  }

  /** The link of an operator opens the team as its first owner. */
  async function findOrCreateOwner(on: Statements, teamId: string): Promise<FoundPerson> {
    const owner = (await on.people.listOfTeam(teamId)).find(({ role }) => role === "owner");
    return owner ?? createPerson(on, teamId, ownersName, "owner");
  }

  /** Noted in the log with the session that begins. */
  async function signInTo(on: Statements, teamId: string, person: FoundPerson, way: SignInWay): Promise<OpenedSession> {
    await on.audit.add([personRow("signed_in", teamId, person, way)]);
    return openSession(on.people, person.id, teamId);
  }

  function personRow(act: string, teamId: string, { id, name }: FoundPerson, { by, origin }: SignInWay): AuditRow {
    const details = by === undefined ? {} : { by };
    const target = { type: "person", id, name };
    return auditRow(teamId, personActor(id, name, origin), clock.now(), { action: `person.${act}`, target, details });
  }

  async function noteFailure(person: FoundPerson, way: SignInWay): Promise<void> {
    const [team] = await people.listTeams(person.id);
    if (team) await store.audit.add([personRow("sign_in_failed", team.teamId, person, way)]);
  }

  return { createLink, createPerson, findOrCreateOwner, signInTo, personRow, noteFailure };
}

/** The people of a team and their roles. */
function createRoles({ store, clock }: PeopleDeps) {
  const { people } = store;

  async function requireOtherOwner(teamId: string, personId: string): Promise<void> {
    const owners = (await people.listOfTeam(teamId)).filter(({ role, id }) => role === "owner" && id !== personId);
    if (owners.length === 0)
      throw new ServiceError("BAD_REQUEST", "A team needs at least one owner. Make another member an owner first.");
  }

  async function requirePerson(teamId: string, personId: string): Promise<TeamPerson> {
    const person = (await people.listOfTeam(teamId)).find(({ id }) => id === personId);
    if (!person) throw new ServiceError("PERSON_NOT_FOUND");
    return person;
  }

  return {
    listTeams: (personId: string) => people.listTeams(personId),
    listPeople: (teamId: string) => people.listOfTeam(teamId),

    async switchTeam(session: FoundSession, teamId: string): Promise<void> {
      const teams = await people.listTeams(session.personId);
      if (!teams.some((team) => team.teamId === teamId)) throw new ServiceError("TEAM_NOT_FOUND");
      await people.setTeam(session.id, teamId);
    },

    async setRole(teamId: string, personId: string, role: PersonRole, actor: Actor): Promise<void> {
      const { role: before, name } = await requirePerson(teamId, personId);
      if (role !== "owner") await requireOtherOwner(teamId, personId);
      const target = { type: "person", id: personId, name };
      const details = { before: { role: before }, after: { role } };
      await store.transaction(async (on) => {
        await on.people.join(teamId, personId, role, clock.now());
        await on.audit.add([auditRow(teamId, actor, clock.now(), { action: "person.role_changed", target, details })]);
      });
    },

    async remove(teamId: string, personId: string, actor: Actor): Promise<void> {
      const { role, name } = await requirePerson(teamId, personId);
      if (role === "owner") await requireOtherOwner(teamId, personId);
      const target = { type: "person", id: personId, name };
      await store.transaction(async (on) => {
        await on.people.leave(teamId, personId, clock.now());
        await on.audit.add([auditRow(teamId, actor, clock.now(), { action: "person.removed", target })]);
      });
    },
  };
}

function plainName(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
