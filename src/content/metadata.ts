/** API.md 2.5: title and description always, everything else when the page says it. */
export interface PageMetadata {
  title: string;
  description: string;
  [name: string]: string | string[];
}
