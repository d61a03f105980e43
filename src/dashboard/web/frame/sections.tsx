// The sections in the order of the navigation, and the places inside them. Each has its own path and is loaded when it is
// opened.
import type { ComponentType } from "react";

type LoadPage = () => Promise<ComponentType>;

interface Section {
  name: string;
  path: string;
  group: "Work" | "Watch" | "Account";
  /** Of a picture of 16 by 16. */
  icon: string;
  load: LoadPage;
}

/** By group: name, path, picture, and the page, which is loaded when it is opened so that the first one is there at once. */
const table: Readonly<Record<Section["group"], readonly [string, string, string, LoadPage][]>> = {
  Work: [
    [
      "Overview",
      "/overview",
      "M2.500 13.500v-5h2.500v5M6.750 13.500v-11h2.500v11M11 13.500v-8h2.500v8",
      async () => (await import("../sections/overview.tsx")).OverviewSection,
    ],
    [
      "Playground",
      "/playground",
      "M4 3l8.500 5L4 13z",
      async () => (await import("../sections/playground.tsx")).PlaygroundSection,
    ],
    [
      "Activity",
      "/activity",
      "M1.500 8h3l2-5 3 10 2-5h3",
      async () => (await import("../sections/activity.tsx")).ActivitySection,
    ],
    [
      "Crawls",
      "/crawls",
      "M8 3v3M8 6H3.500v3M8 6h4.500v3M8 6v3M3.500 9v4M8 9v4M12.500 9v4",
      async () => (await import("../sections/crawls.tsx")).CrawlsSection,
    ],
  ],
  Watch: [
    [
      "Monitors",
      "/monitors",
      "M8 4.500V8l2.500 1.500M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z",
      async () => (await import("../sections/monitors.tsx")).MonitorsSection,
    ],
    [
      "Browser sessions",
      "/sessions",
      "M2 3.500h12v9H2zM2 6.500h12",
      async () => (await import("../sections/browser-sessions.tsx")).BrowserSessionsSection,
    ],
    [
      "Search index",
      "/index",
      "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500L14 14",
      async () => (await import("../sections/search-index.tsx")).SearchIndexSection,
    ],
    [
      "Webhooks",
      "/webhooks",
      "M5 10a3 3 0 1 1 2-5.200M8 5l3 5M11 7.500a3 3 0 1 1-2.500 5H4.500",
      async () => (await import("../sections/webhooks.tsx")).WebhooksSection,
    ],
    [
      "Hosts",
      "/hosts",
      "M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5h.01M5 11h.01",
      async () => (await import("../sections/hosts.tsx")).HostsSection,
    ],
  ],
  Account: [
    [
      "Usage",
      "/usage",
      "M8 2v6l4.500 3.500M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z",
      async () => (await import("../sections/usage.tsx")).UsageSection,
    ],
    [
      "API keys",
      "/keys",
      "M13.500 5.500a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8.300 7.700L2.500 13.500v-2.200M5 11v1.500",
      async () => (await import("../sections/api-keys.tsx")).ApiKeysSection,
    ],
    [
      "Connected apps",
      "/apps",
      "M2.500 2.500h4.500v4.500h-4.500zM9 2.500h4.500v4.500H9zM2.500 9h4.500v4.500h-4.500zM11.250 9v4.500M9 11.250h4.500",
      async () => (await import("../sections/connected-apps.tsx")).ConnectedAppsSection,
    ],
    [
      "Team",
      "/team",
      "M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500a4.500 4.500 0 0 1 9 0M11 3a2.300 2.300 0 0 1 0 4.500M12 9.500a4 4 0 0 1 2.500 4",
      async () => (await import("../sections/team.tsx")).TeamSection,
    ],
    [
      "Connect",
      "/connect",
      "M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500L7.500 13A3 3 0 0 1 3 8.500L4.500 7",
      async () => (await import("../sections/connect.tsx")).ConnectSection,
    ],
    [
      "Settings",
      "/settings",
      "M2 4.500h7M12 4.500h2M2 11.500h2M7 11.500h7M10.500 6a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM5.500 13a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z",
      async () => (await import("../sections/settings.tsx")).SettingsSection,
    ],
  ],
};

export const groups = Object.keys(table) as Section["group"][];

export const sections: readonly Section[] = groups.flatMap((group) =>
  table[group].map(([name, path, icon, load]) => ({ name, path, group, icon, load })),
);

/** Places below a section. */
export const innerPlaces: readonly { path: string; load: LoadPage }[] = [
  { path: "/activity/$endpoint/$id", load: async () => (await import("../sections/job.tsx")).JobSection },
  { path: "/crawls/$id", load: async () => (await import("../sections/crawl.tsx")).CrawlSection },
];
