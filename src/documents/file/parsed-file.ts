/** What a reader of any kind of file returns: one HTML document for `content`, and what only the file knows. */
export interface ParsedFile {
  /** A whole HTML document. Blocks of paged files carry `data-page` (from 1) and `data-box` ("x0 y0 x1 y1", points from the top left). */
  html: string;
  title?: string;
  author?: string;
  createdAt?: string;
  modifiedAt?: string;
  /** Pages of the file, and those that were read. */
  totalPages?: number;
  pagesRead?: number;
  warnings: string[];
}
