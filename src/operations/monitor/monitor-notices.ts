// What monitors tell their channels: what a check found, and that checks fail or succeed again. And who gets their email.
import { isoTime } from "../../base/index.ts";
import { countChanges } from "../../monitors/index.ts";
import type { Notice } from "../../notices/index.ts";
import type { Monitor, MonitorCheck, NotifyRow } from "../../store/index.ts";
import type { ToldNotice } from "../parts/notice-parts.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { listTeamAddresses } from "../parts/team-addresses.ts";
import { summaryOf } from "./check-end.ts";
import { listNews } from "./check-news.ts";
import { createMailLinks, type MonitorOptions, type Recipients } from "./recipients.ts";

/** Pages that are named; the others are counted. */
const listedPages = 20;

export function createMonitorNotices(parts: OperationParts, recipients: Recipients, { confirmsMail }: MonitorOptions) {
  const { store } = parts;
  const links = createMailLinks(parts);

  /** Null when its only changes are noise. */
  async function writeChange(
    monitor: Monitor,
    check: MonitorCheck,
  ): Promise<Pick<Notice, "title" | "text" | "change" | "url"> | null> {
    const pages = (await listNews(store, check, true)).filter(({ status }) => status !== "error");
    const [first] = pages;
    if (!first) return null;
    const listed = pages.slice(0, listedPages);
    const lines = listed.map(({ status, url, reason }) => [`${status}: ${url}`, reason].filter(Boolean).join("\n"));
    if (pages.length > listed.length) lines.push(`and ${pages.length - listed.length} more`);
    const change = listed
      .filter(({ diff }) => diff !== "")
      .map(({ url, diff }) => (listed.length > 1 ? `${url}\n${diff}` : diff))
      .join("\n\n");
    return {
      title: `${monitor.name}: ${countChanges(summaryOf(check))}`,
      text: lines.join("\n"),
      change,
      url: first.url,
    };
  }

  return {
    async write({ kind, facts, at }: ToldNotice, teamId: string, baseUrl: string): Promise<Notice | null> {
      const monitor = await store.monitors.read(String(facts.monitorId));
      const check = await store.checks.read(String(facts.checkId));
      if (!check || monitor?.teamId !== teamId) return null;
      const { name } = monitor;
      const error = check.error ?? "";
      const link = `${baseUrl}/dashboard/monitors`;
      const about = { name, status: check.status, error, change: "", url: "", link, at };
      if (kind === "monitor.failed") {
        const times = facts.failures === 1 ? "failed" : `failed ${facts.failures} times in a row`;
        return { ...about, level: "trouble", title: `${name} ${times}`, text: error };
      }
      if (kind === "monitor.recovered") {
        const text = `Its checks had failed since ${isoTime(Number(facts.since))}.`;
        return { ...about, level: "recovered", title: `${name} works again`, text };
      }
      const change = await writeChange(monitor, check);
      return change && { ...about, level: "info", ...change };
    },

    /** Of a monitor those who agreed; of a team its members, and everybody where no consent is asked for. */
    async recipients(
      { ownerId, teamId }: Pick<NotifyRow, "ownerId" | "teamId">,
      to: readonly string[],
    ): Promise<string[]> {
      const named = to.map((email) => email.toLowerCase());
      const members = await listTeamAddresses(store, teamId);
      const wanted = named.length > 0 ? named : members;
      if (ownerId === teamId) return wanted.filter((email) => !confirmsMail || members.includes(email));
      return (await recipients.confirmed({ id: ownerId, teamId }, wanted)).map(({ email }) => email);
    },

    unsubscribeUrl(ownerId: string, teamId: string, baseUrl: string, email: string): string | undefined {
      return ownerId === teamId ? undefined : links.to("unsubscribe", { id: ownerId, baseUrl }, email);
    },
  };
}
