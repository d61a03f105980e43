// How the operator wants open sources to be asked.

export interface FederationSettings {
  /** Of the sources to ask. */
  names: readonly string[];
  /** Other base URLs, by name. */
  endpoints: Readonly<Record<string, string>>;
  /** Keys that raise the limits of a source, or open it, by name. */
  keys: Readonly<Record<string, string | null>>;
  /** Time until an answer is given with what has come. */
  budgetMs: number;
  cacheSeconds: number;
  cooldownSeconds: number;
  isPaced: boolean;
  /** How the operator of a source reaches ours: a URL or a mail address. */
  contact: string;
  /** How to set one that a source may want; null where the operator has set one. */
  contactHint: string | null;
  userAgent: string;
  /** Whether teams share cached answers. */
  isCacheShared: boolean;
}
