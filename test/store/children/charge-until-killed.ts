// Runs in its own process: charges without end and tells each charge's id once the store has acknowledged it.
import { openStore, type StoreOptions } from "../../../src/store/index.ts";
import { makeCharge } from "../rows.ts";

const { options, teamId } = JSON.parse(process.env.CHILD_INPUT ?? "") as { options: StoreOptions; teamId: string };
const store = await openStore(options);
for (;;) {
  const charge = makeCharge(teamId);
  await store.charges.charge([charge]);
  process.stdout.write(`${charge.id}\n`);
}
