/** What a search can be narrowed to. */
export type Category = "github" | "research" | "pdf" | "developer" | "gov";
