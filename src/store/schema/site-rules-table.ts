// What pages of hosts taught about the fields of schemas.
export interface SiteRulesTable {
  teamId: string;
  host: string;
  /** Extractors are asked for, listed and deleted by callers; templates are learned without asking. */
  kind: "extractor" | "template";
  /** Hash of the schema, and of an extractor's prompt. */
  form: string;
  id: string;
  /** JSON: where each field is. */
  rules: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** By the day. */
  usedAt: number;
  /** When it was first tried to repair it of late, and how often since. */
  triedAt: number;
  tries: number;
}
