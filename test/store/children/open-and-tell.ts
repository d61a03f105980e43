// Runs in its own process: opens the store, says so, closes it.
import { openStore, type StoreOptions } from "../../../src/store/index.ts";

const options = JSON.parse(process.env.CHILD_INPUT ?? "") as StoreOptions;
const store = await openStore(options);
process.stdout.write("opened\n");
await store.close();
