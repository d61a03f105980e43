// Tables of what pages of hosts taught: extractors that callers ask for, and templates.
export interface ExtractorsTable {
  team_id: string;
  host: string;
  /** Hash of the schema and the prompt. */
  form: string;
  id: string;
  /** JSON: the place of each field. */
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

export interface SiteTemplatesTable {
  team_id: string;
  host: string;
  /** Hash of the schema. */
  form: string;
  /** JSON: the place of each field, and how many pages confirm it. */
  template: string;
  version: number;
  /** By the day. */
  used_at: number;
}
