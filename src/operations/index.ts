export { createTeamOperations } from "./team.ts";
