// Written by `npm run generate`: every PageFormat of this folder.
import { branding } from "./branding.ts";
import { changeTracking } from "./change-tracking.ts";
import { deterministicJson } from "./deterministic-json.ts";
import { highlights } from "./highlights.ts";
import { json } from "./json.ts";
import { network } from "./network.ts";
import { query } from "./query.ts";
import { question } from "./question.ts";
import { rawBase64 } from "./raw-base64.ts";
import { screenshot } from "./screenshot.ts";
import { summary } from "./summary.ts";

export const pageFormats = {
  branding,
  changeTracking,
  deterministicJson,
  highlights,
  json,
  network,
  query,
  question,
  rawBase64,
  screenshot,
  summary,
};
