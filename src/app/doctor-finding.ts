// What `trawl doctor` and the dashboard say of one subject.
export interface Finding {
  subject: string;
  /** `absent`: not configured, which is not a fault. */
  state: "ok" | "absent" | "failed";
  /** One sentence. */
  message: string;
  /** What to do about it. */
  fix?: string;
}
