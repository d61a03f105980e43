import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readFile as readAnyFile } from "../../documents/index.ts";
import { pdfFolders } from "./pdf-folders.ts";
import { installedLanguages, openRecognizer, type Recognizer } from "./recognizer.ts";

const fixtures = new URL("../../documents/pdf/fixtures/", import.meta.url);
const files = new URL("../../../test/documents/files/", import.meta.url);
const text = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

let recognizer: Recognizer;
beforeAll(() => {
  recognizer = openRecognizer({ languages: ["eng"] });
});
afterAll(() => recognizer.close());

describe("the packaged recognizer", () => {
  it("reads an image, columns in their order", async () => {
    const bytes = new Uint8Array(await readFile(new URL("page.png", fixtures)));
    const tools = { folders: pdfFolders(), recognize: recognizer.recognize };
    const { html, warnings } = await readAnyFile("png", bytes, { mode: "auto", tools });
    const plain = text(html);
    expect(warnings).toEqual([]);
    expect(plain).toContain("Tides of the Northern Strait");
    expect(plain.indexOf("Alpha the left")).toBeLessThan(plain.indexOf("Omega the right"));
    expect(html).toMatch(/data-page="1" data-box="[\d.]+ [\d.]+ [\d.]+ [\d.]+"/);
  });

  it("is asked for the pages of a PDF that hold no text, and only for those", async () => {
    let asked = 0;
    const recognize: Recognizer["recognize"] = async () => {
      asked += 1;
      return [{ text: "Seen", confidence: 90, x0: 100, y0: 100, x1: 200, y1: 130, line: "1" }];
    };
    const read = async (name: string) =>
      readAnyFile("pdf", new Uint8Array(await readFile(new URL(`${name}.pdf`, fixtures))), {
        mode: "auto",
        tools: { folders: pdfFolders(), recognize },
      });
    expect([text((await read("scanned")).html), asked]).toEqual(["Seen", 1]);
    await read("columns");
    expect(asked).toBe(1);
  });

  it("can be the system's own program", async () => {
    const program = join(temporaryFolder(), "tesseract");
    // Speaks as the program does: an image comes in, a table of words goes out.
    const word = "5\t1\t1\t1\t1\t1\t10\t10\t90\t30\t91\tHarbour";
    await writeFile(program, `#!/bin/sh\n[ "$4" = eng+deu ] && head -c 2 | grep -q P5 && printf '${word}\\n'\n`, {
      mode: 0o755,
    });
    const system = openRecognizer({ languages: ["eng", "deu"], program });
    const image = { width: 100, height: 50, pixels: new Uint8Array(5000).fill(255) };
    expect(await system.recognize(image)).toMatchObject([{ text: "Harbour", confidence: 91, x0: 10, x1: 100 }]);
    await expect(openRecognizer({ languages: ["fra"], program }).recognize(image)).rejects.toThrow("exit code 1");
    await system.close();
  });

  it("fetches nothing", async () => {
    const folder = temporaryFolder();
    const guard = join(folder, "guard.cjs");
    const program = join(folder, "program.mjs");
    // Loaded into every thread: whoever opens a connection or asks for a name ends the process.
    await writeFile(
      guard,
      `const stop = () => { process.stderr.write("network"); process.exit(9); };
      require("node:net").Socket.prototype.connect = stop;
      require("node:dns").lookup = stop;
      globalThis.fetch = stop;`,
    );
    const built = new URL("../../../dist/", import.meta.url).href;
    await writeFile(
      program,
      `import { readFile } from "node:fs/promises";
      const { openRecognizer } = await import("${built}pages/files/recognizer.js");
      const { readFile: readAnyFile } = await import("${built}documents/index.js");
      const recognizer = openRecognizer({ languages: ["eng"] });
      const bytes = new Uint8Array(await readFile(${JSON.stringify(new URL("title.png", files).pathname)}));
      const file = await readAnyFile("png", bytes, { mode: "auto", tools: { recognize: recognizer.recognize } });
      console.log(file.html.includes("Northern") ? "read" : file.html);
      await recognizer.close();`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ["--require", guard, program]);
    expect(stdout.trim()).toBe("read");
  });

  it("knows which languages are installed, and names the package of one that is not", async () => {
    expect(await installedLanguages(["eng", "xyz", "../eng"])).toEqual(["eng"]);
    const other = openRecognizer({ languages: ["eng", "xyz"] });
    const image = { width: 10, height: 10, pixels: new Uint8Array(100).fill(255) };
    await expect(other.recognize(image)).rejects.toThrow("install @tesseract.js-data/xyz");
    await other.close();
  });
});
