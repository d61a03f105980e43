// Adds to package-lock.json the rows of optional platform packages that `npm install` left out because they are
// built for another platform and were not to be had here. Without them `npm ci` refuses the lock it should install.
// Run by `npm run lock` after every change of a dependency; pass a folder to complete the lock file in it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const file = join(process.argv[2] ?? ".", "package-lock.json");
const systems = "aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32";
const processors = "arm64|arm|x64|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32";
const platform = new RegExp(`(${systems})-?(${processors})?`);

const lock = JSON.parse(readFileSync(file, "utf8"));
const rows = lock.packages;
let added = 0;
for (const [place, row] of Object.entries({ ...rows })) {
  if (place === "") continue;
  for (const [name, version] of Object.entries(row.optionalDependencies ?? {})) {
    const isExact = /^\d/.test(version);
    const hasRow = rows[`${place}/node_modules/${name}`] ?? rows[`node_modules/${name}`];
    if (hasRow || !isExact) continue;
    const [, system, processor] = platform.exec(name) ?? [];
    rows[`node_modules/${name}`] = {
      version,
      ...(processor ? { cpu: [processor] } : {}),
      ...(row.dev ? { dev: true } : {}),
      optional: true,
      ...(system ? { os: [system] } : {}),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} rows added`);
