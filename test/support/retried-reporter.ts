// Ends a run with the list of tests that passed only after a retry, so that none goes unnoticed.
import type { Reporter, TestModule } from "vitest/node";

export class RetriedReporter implements Reporter {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.#write = write;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap(listRetried);
    this.#write(retried.length === 0 ? "\nRetried tests: none\n" : `\nRetried tests:\n${retried.join("\n")}\n`);
  }
}

function listRetried(module: TestModule): string[] {
  return [...module.children.allTests()].flatMap((test) => {
    const retries = test.diagnostic()?.retryCount ?? 0;
    if (retries === 0) return [];
    return [`  ${module.relativeModuleId} > ${test.fullName} (${retries}×, ${test.result().state})`];
  });
}
