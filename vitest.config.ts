import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { RetriedReporter } from "./test/support/retried-reporter.ts";
import { SlowFilesReporter } from "./test/support/slow-files-reporter.ts";

/** Tests of servers and browsers take long, whatever the size of their files: begun last, one would keep all others waiting. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      // Between files that share a process, one that does not would end that process with all it has loaded.
      if (project.config.isolate) return 0;
      return /\/test\/(browser|clients|e2e)\//.test(moduleId) ? 1 : 2;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

const sources = join(import.meta.dirname, `src${sep}`);

/**
 * Tests import the sources. A whole run replaces them with the build of them, which its set-up has made: Node loads it as it is, and
 * no file has to be transformed for each process. `--mode sources` runs the sources, so that unit tests need no build and the runner
 * knows which tests a changed file concerns.
 */
const built: Plugin = {
  name: "built",
  enforce: "pre",
  resolveId(name, importer) {
    if (importer === undefined || !name.startsWith(".") || !name.endsWith(".ts")) return null;
    const file = resolve(dirname(importer), name);
    if (!file.startsWith(sources) || file.endsWith(".test.ts")) return null;
    const compiled = join(import.meta.dirname, "dist", file.slice(sources.length).replace(/ts$/, "js"));
    return existsSync(compiled) ? compiled : null;
  },
};

const exclude = ["**/node_modules/**", "dist/**"];
const setupFiles = ["test/support/file-costs.ts", "test/support/answers/strict-faults.ts"];
const common = { exclude, globalSetup: "test/support/global-setup.ts", setupFiles };
const unit = ["src/**/*.test.ts"];
const shared = [
  ...["browser", "clients", "e2e", "store"].map((room) => `test/${room}/**/*.test.ts`),
  ...["format-examples", "guides", "lock-file", "retries", "scale-sim"].map((name) => `test/${name}.test.ts`),
];
/** They read the sources as text: nothing has to be built or started for them. */
const structure = [
  "test/architecture/**/*.test.ts",
  "test/acceptance.test.ts",
  "test/benchmark-plots.test.ts",
  "test/deploy.test.ts",
  "test/doc-paths.test.ts",
];

export default defineConfig(({ mode }) => ({
  plugins: mode === "sources" ? [] : [built],
  test: {
    server: { deps: { external: [/^(?!.*\/node_modules\/).*\/dist\//] } },
    reporters: ["default", new SlowFilesReporter(), new RetriedReporter()],
    pool: "forks",
    execArgv: [
      // Tests allocate much that dies at once: with the small default, a quarter of their CPU is collecting it.
      ...["--max-semi-space-size=64", "--min-semi-space-size=32"],
      // Six processes share two cores: helpers that collect at the same time wait for each other.
      "--single-threaded-gc",
      // Most code runs a few times a test: optimizing it takes more than it saves. What runs often is optimized all the same.
      "--interrupt-budget=1500000",
    ],
    sequence: { sequencer: LongFirst },
    // For two cores: more than half of the time of most tests is waiting for sites, jobs and leases.
    maxWorkers: 6,
    projects: [
      // These leave nothing behind: one process for many of their files does not load the same code again and again.
      {
        extends: true,
        test: {
          ...common,
          name: "shared",
          include: mode === "sources" ? shared : [...shared, ...unit],
          isolate: false,
        },
      },
      // Built, they run in the processes of the others, which have loaded the product already. As sources they need no build.
      ...(mode === "sources"
        ? [{ extends: true as const, test: { ...common, name: "unit", include: unit, isolate: false } }]
        : []),
      {
        extends: true,
        test: {
          ...common,
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: [...exclude, ...unit, ...shared, ...structure],
        },
      },
      { extends: true, test: { name: "structure", include: structure, isolate: false } },
    ],
    // Never reached by what works: real browsers and databases on two busy cores, where a start may take a minute.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    // For a busy machine; what is waited for mostly comes at once, and asking is work, too: often a request and its answer.
    expect: { poll: { timeout: 120_000, interval: 100 } },
    experimental: { fsModuleCache: mode === "sources" },
  },
}));
