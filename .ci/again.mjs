// The runner tries a failed test again, but never a hook: a browser or database that did not start in time fails a whole file.
// So the few files that failed run once more, with the machine to themselves. What a property found is not tried again.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const mostFiles = 4;

const { testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = testResults.filter(({ status }) => status === "failed");
const messages = failed.flatMap(({ message, assertionResults }) => [
  message,
  ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
]);
if (failed.length === 0 || failed.length > mostFiles || messages.some((text) => text.includes("Property failed"))) {
  process.exit(1);
}
const files = failed.map(({ name }) => name);
process.stdout.write(`\nOnce more, alone:\n${files.join("\n")}\n\n`);
process.exit(spawnSync("npm", ["test", "--", ...files], { stdio: "inherit" }).status ?? 1);
