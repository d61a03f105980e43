// Where the content threads find the reader of pages.
import { compiledFile } from "../../base/index.ts";
import type { PageReaderOf } from "../../content/index.ts";

const { href } = compiledFile(import.meta.url, "../reading/page-reader.ts");

export const pageReader: PageReaderOf<typeof import("../reading/page-reader.ts")> = { url: href };
