// Where the content threads find the reader of pages.
import { compiledFile } from "../../base/index.ts";
import type { PageReaderOf } from "../../content/index.ts";

const { href } = compiledFile(import.meta.url, "../reading/schema-reader.ts");

export const pageReader: PageReaderOf<typeof import("../reading/schema-reader.ts")> = { url: href };
