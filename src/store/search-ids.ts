// Ids of pages in the search index: the team's number in front, so that the pages of a team are one range of ids.
const idsPerTeam = 2 ** 32;

export function firstIdOf(teamNumber: number): number {
  return teamNumber * idsPerTeam;
}

export function lastIdOf(teamNumber: number): number {
  return firstIdOf(teamNumber + 1) - 1;
}

export function teamNumberOf(id: number): number {
  return Math.floor(id / idsPerTeam);
}
