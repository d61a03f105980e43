// What a browser remembers of sites: cookies and local storage.
import type { BrowserContextOptions } from "playwright-core";

/** Cookies and local storage as they are kept between visits; it can be written as JSON. */
export type StorageState = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;
