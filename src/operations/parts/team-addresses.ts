// The email addresses of a team: the names with which its members sign in, where they are addresses.
import type { Statements } from "../../store/index.ts";

const addressForm = /^[^\s@]+@[^\s@]+$/;

/** In lower case, each once. */
export async function listTeamAddresses({ people }: Pick<Statements, "people">, teamId: string): Promise<string[]> {
  const members = await people.listOfTeam(teamId);
  const names = members.map(({ signInName }) => signInName?.toLowerCase() ?? "");
  return [...new Set(names.filter((name) => addressForm.test(name)))];
}
