// The runner tries a failed test again, but never a hook: a browser or database that did not start in time fails a whole file.
// So the few files that failed run once more, one after the other. What a property found is not tried again.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const mostFiles = 4;

const { testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = testResults.filter(({ status }) => status === "failed");
const messages = failed.flatMap(({ message, assertionResults }) => [
  message,
  ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
]);

if (failed.length === 0) refuse("what failed is no file of tests");
if (failed.length > mostFiles) refuse(`${failed.length} files failed`);
if (messages.some((text) => text.includes("Property failed"))) refuse("a property does not hold");

const files = failed.map(({ name }) => name);
process.stdout.write(`\nOnce more, alone:\n${files.join("\n")}\n\n`);
process.exit(spawnSync("npm", ["test", "--", "--maxWorkers=1", ...files], { stdio: "inherit" }).status ?? 1);

function refuse(reason) {
  process.stdout.write(`\nNot tried again: ${reason}.\n`);
  process.exit(1);
}
