/** Loads the room with its first use: its table of public suffixes takes 5 to 10 MB, which an idle server does without. */
export const loadDiscovery = () => import("../../discovery/index.ts");
