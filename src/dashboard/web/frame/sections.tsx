// The sections in the order of the navigation, and the places inside them. Each has a path of its own and is loaded when it is
// opened.
import type { ComponentType } from "react";

type LoadPage = () => Promise<{ Page: ComponentType }>;

interface Section {
  name: string;
  path: string;
  group: "Work" | "Watch" | "Account";
  /** Of a picture of 16 by 16. */
  icon: string;
  load: LoadPage;
}

export const sections: readonly Section[] = [
  {
    name: "Overview",
    path: "/overview",
    group: "Work",
    icon: "M2.500 13.500v-5h2.500v5M6.750 13.500v-11h2.500v11M11 13.500v-8h2.500v8",
    load: () => import("../sections/overview.tsx"),
  },
  {
    name: "Playground",
    path: "/playground",
    group: "Work",
    icon: "M4 3l8.500 5L4 13z",
    load: () => import("../sections/playground.tsx"),
  },
  {
    name: "Activity",
    path: "/activity",
    group: "Work",
    icon: "M1.500 8h3l2-5 3 10 2-5h3",
    load: () => import("../sections/activity.tsx"),
  },
  {
    name: "Crawls",
    path: "/crawls",
    group: "Work",
    icon: "M8 3v3M8 6H3.500v3M8 6h4.500v3M8 6v3M3.500 9v4M8 9v4M12.500 9v4",
    load: () => import("../sections/crawls.tsx"),
  },
  {
    name: "Monitors",
    path: "/monitors",
    group: "Watch",
    icon: "M8 4.500V8l2.500 1.500M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z",
    load: () => import("../sections/monitors.tsx"),
  },
  {
    name: "Browser sessions",
    path: "/sessions",
    group: "Watch",
    icon: "M2 3.500h12v9H2zM2 6.500h12",
    load: () => import("../sections/browser-sessions.tsx"),
  },
  {
    name: "Search index",
    path: "/index",
    group: "Watch",
    icon: "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500L14 14",
    load: () => import("../sections/search-index.tsx"),
  },
  {
    name: "Webhooks",
    path: "/webhooks",
    group: "Watch",
    icon: "M5 10a3 3 0 1 1 2-5.200M8 5l3 5M11 7.500a3 3 0 1 1-2.500 5H4.500",
    load: () => import("../sections/webhooks.tsx"),
  },
  {
    name: "Hosts",
    path: "/hosts",
    group: "Watch",
    icon: "M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5h.01M5 11h.01",
    load: () => import("../sections/hosts.tsx"),
  },
  {
    name: "Usage",
    path: "/usage",
    group: "Account",
    icon: "M8 2v6l4.500 3.500M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z",
    load: () => import("../sections/usage.tsx"),
  },
  {
    name: "API keys",
    path: "/keys",
    group: "Account",
    icon: "M13.500 5.500a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8.300 7.700L2.500 13.500v-2.200M5 11v1.500",
    load: () => import("../sections/api-keys.tsx"),
  },
  {
    name: "Team",
    path: "/team",
    group: "Account",
    icon: "M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500a4.500 4.500 0 0 1 9 0M11 3a2.300 2.300 0 0 1 0 4.500M12 9.500a4 4 0 0 1 2.500 4",
    load: () => import("../sections/team.tsx"),
  },
  {
    name: "Connect",
    path: "/connect",
    group: "Account",
    icon: "M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500L7.500 13A3 3 0 0 1 3 8.500L4.500 7",
    load: () => import("../sections/connect.tsx"),
  },
  {
    name: "Settings",
    path: "/settings",
    group: "Account",
    icon: "M2 4.500h7M12 4.500h2M2 11.500h2M7 11.500h7M10.500 6a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM5.500 13a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z",
    load: () => import("../sections/settings.tsx"),
  },
];

/** Places below a section. */
export const innerPlaces: readonly { path: string; load: LoadPage }[] = [
  { path: "/activity/$endpoint/$id", load: () => import("../sections/job.tsx") },
  { path: "/crawls/$id", load: () => import("../sections/crawl.tsx") },
];

export const groups: readonly Section["group"][] = ["Work", "Watch", "Account"];
