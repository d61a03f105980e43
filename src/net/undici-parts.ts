// The parts of undici that this room uses. Its main file also loads fetch, WebSockets, caches and mocks: three times the CPU,
// in every process, before the first page is read.
import { createRequire } from "node:module";
import type { Dispatcher, Pool } from "undici";

type SendRequest = (this: Pool, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>;

const require = createRequire(import.meta.url);
export const ConnectionPool: typeof Pool = require("undici/lib/dispatcher/pool.js");
export const sendRequest: SendRequest = require("undici/lib/api/api-request.js");
