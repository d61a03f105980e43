export { createGuideSite } from "./site/guide-site.ts";
