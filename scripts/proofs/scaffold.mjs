// What `npm run new` writes also compiles: the compiler takes as long for it as for the whole house.
import { proveTests } from "../vitest-report.mjs";

export function prove() {
  return proveTests("scaffold", { scaffold: ["test/scaffold.test.ts"] });
}
