// The people of teams: links that let them in once, passwords, and their roles.
import { type Clock, dayMs, minuteMs, newId, refusedField, ServiceError, sha256 } from "../base/index.ts";
import type { FoundSession, PersonRole, Store, TeamPerson } from "../store/index.ts";
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

export type People = ReturnType<typeof createPeople>;

export function createPeople({ store, clock }: PeopleDeps) {
  const { people } = store;
  const { openSession, ...sessions } = createPersonSessions({ people, clock });

  async function createLink(teamId: string, role: PersonRole, isInvitation: boolean) {
    const secret = newSecret();
    const now = clock.now();
    const expiresAt = now + (isInvitation ? invitationMs : linkMs);
    await people.addLink({ hash: sha256(secret), teamId, role, isInvitation, createdAt: now, expiresAt });
    return { secret, expiresAt };
  }

  async function createPerson(teamId: string, name: string, role: PersonRole): Promise<string> {
    const now = clock.now();
    const id = newId(now);
    await people.insert({ id, name, createdAt: now });
    await people.join(teamId, id, role, now);
    return id;
  }

  /** The link of an operator opens the team as its first owner. */
  async function findOrCreateOwner(teamId: string): Promise<string> {
    const owner = (await people.listOfTeam(teamId)).find(({ role }) => role === "owner");
    return owner?.id ?? createPerson(teamId, ownersName, "owner");
  }

  /** Throws unless the link is valid; the caller uses it next. */
  async function requireLink(secret: string) {
    const link = await people.findLink(sha256(secret), clock.now());
    if (!link) throw new ServiceError("LINK_NOT_VALID");
    return link;
  }

  async function spendLink(hash: string): Promise<void> {
    if (!(await people.spendLink(hash))) throw new ServiceError("LINK_NOT_VALID");
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
    ...createRoles({ people, clock }),

    /** Whether anyone has ever signed in. */
    isEmpty: async () => (await people.count()) === 0,

    createSignInLink: (teamId: string) => createLink(teamId, "owner", false),
    createInvitation: (teamId: string, role: PersonRole) => createLink(teamId, role, true),

    /** `name`: of the person that an invitation creates. */
    async signInByLink(secret: string, name: string | undefined): Promise<OpenedSession> {
      const link = await requireLink(secret);
      if (link.isInvitation && name === undefined) {
        throw refusedField(["name"], "An invitation needs your name", "invalid_type");
      }
      await spendLink(link.hash);
      const personId =
        link.isInvitation && name !== undefined
          ? await createPerson(link.teamId, name, link.role)
          : await findOrCreateOwner(link.teamId);
      return openSession(personId, link.teamId);
    },

    /** A person who is signed in joins another team. */
    async acceptInvitation(session: FoundSession, secret: string): Promise<void> {
      const link = await requireLink(secret);
      if (!link.isInvitation) throw new ServiceError("LINK_NOT_VALID");
      await spendLink(link.hash);
      await people.join(link.teamId, session.personId, link.role, clock.now());
      await people.setTeam(session.id, link.teamId);
    },

    countAttempt,

    /** A session in the first of the person's teams; null without a team. */
    async openFor(personId: string): Promise<OpenedSession | null> {
      const [team] = await people.listTeams(personId);
      return team ? openSession(personId, team.teamId) : null;
    },

    async signInByPassword(signInName: string, password: string): Promise<OpenedSession> {
      const name = plainName(signInName);
      await countAttempt(name);
      const person = await people.findBySignInName(name);
      const isRight = await isPassword(password, person?.password ?? null);
      const [team] = person && isRight ? await people.listTeams(person.id) : [];
      if (!person || !team) throw new ServiceError("SIGN_IN_FAILED");
      return openSession(person.id, team.teamId);
    },

    /** Requires the current password, if there is one. The person's other sessions end. */
    async setPassword(
      session: FoundSession,
      next: { signInName: string; password: string; current?: string | undefined },
    ) {
      if (session.hasPassword) {
        const name = session.signInName ?? "";
        await countAttempt(name);
        const person = await people.findBySignInName(name);
        if (!(await isPassword(next.current ?? "", person?.password ?? null))) throw new ServiceError("SIGN_IN_FAILED");
      }
      const stored = await hashPassword(next.password);
      if (!(await people.setPassword(session.personId, plainName(next.signInName), stored))) {
        throw refusedField(["signInName"], "Another person signs in with this name");
      }
      await people.endOtherSessions(session.personId, session.id);
    },
  };
}

/** The people of a team and their roles. */
function createRoles({ people, clock }: { people: Store["people"]; clock: Clock }) {
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

    async setRole(teamId: string, personId: string, role: PersonRole): Promise<void> {
      await requirePerson(teamId, personId);
      if (role !== "owner") await requireOtherOwner(teamId, personId);
      await people.join(teamId, personId, role, clock.now());
    },

    async remove(teamId: string, personId: string): Promise<void> {
      const { role } = await requirePerson(teamId, personId);
      if (role === "owner") await requireOtherOwner(teamId, personId);
      await people.leave(teamId, personId, clock.now());
    },
  };
}

function plainName(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
