// Builds the page of the dashboard into a folder: one script, one style sheet and what is loaded late, each packed: no other copy is shipped.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const root = fileURLToPath(new URL("../src/dashboard/web", import.meta.url));
const folder = resolve(process.argv[2] ?? "dist/dashboard/web");

// Whoever builds: a test run would get the slow and large React of development.
process.env.NODE_ENV = "production";

/** Of a room that servers share, the page takes what needs no Node: everything else goes, and its imports with it. */
const sharedRooms = {
  name: "shared-rooms",
  enforce: "pre",
  resolveId: (name) => (name.startsWith("node:") ? { id: name, external: true, moduleSideEffects: false } : null),
};

await build({
  root,
  configFile: false,
  base: "/dashboard/",
  logLevel: "warn",
  plugins: [sharedRooms, react()],
  // Pictures and fonts as files: data in style sheets would need an exception in the page's policy.
  build: {
    outDir: folder,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rollupOptions: { treeshake: { moduleSideEffects: (id) => !id.includes("/src/text/") } },
  },
});

for (const name of readdirSync(folder, { recursive: true })) {
  const file = join(folder, name);
  if (statSync(file).isFile() && /\.(?:js|css|html|svg)$/.test(file)) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    rmSync(file);
  }
}
