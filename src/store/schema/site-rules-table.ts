// What pages of hosts taught about the fields of schemas.
export interface SiteRulesTable {
  team_id: string;
  host: string;
  kind: "extractor" | "template";
  /** Hash of the schema, and of an extractor's prompt. */
  form: string;
  id: string;
  /** JSON: where each field is. */
  rules: string;
  version: number;
  created_at: number;
  updated_at: number;
  /** By the day. */
  used_at: number;
  /** When it was first tried to repair it of late, and how often since. */
  tried_at: number;
  tries: number;
}
