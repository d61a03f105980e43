// Settings as the options of jobs and operations.
import { resolve } from "node:path";
import type { ArchivesOptions } from "../archive/index.ts";
import { hourMs } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { JobsOptions } from "../jobs/index.ts";
import type { OperationsOptions } from "../operations/index.ts";
import type { PagesOptions } from "../pages/index.ts";
import type { ReachOptions } from "../reach/index.ts";
import { ownCode } from "./open-browser.ts";

const megabyte = 1024 * 1024;

export function jobsOptions(config: Config): JobsOptions {
  return {
    concurrency: config.workerConcurrency,
    teamLimit: config.teamConcurrency,
    leaseMs: config.jobLeaseMs,
    maxRetentionHours: config.maxRetentionHours,
    memoryLimitMb: config.memoryLimitMb,
  };
}

export function operationsOptions(config: Config): OperationsOptions {
  const { teamConcurrency, hostConcurrency } = config;
  return {
    maxUploadBytes: config.maxUploadBytes,
    crawl: { teamConcurrency, hostConcurrency, mayIgnoreRobots: config.respectRobots === "off" },
    extract: { teamConcurrency, maxUrls: config.extractMaxUrls, maxPages: config.extractMaxPages },
    monitor: { confirmsMail: config.monitorMailConfirm },
    notices: { confirmsMail: config.monitorMailConfirm, webhookSecret: config.webhookSecret },
    agent: { maxPages: config.agentMaxPages, maxSeconds: config.agentMaxSeconds },
    sessions: {
      perTeam: config.teamSessions,
      perProcess: config.maxSessions,
      leaseMs: config.jobLeaseMs,
      baseUrl: config.sessionUrl ?? config.publicUrl,
      recording: {
        isOn: config.sessionRecording,
        mostBytes: config.sessionRecordingBytes,
        keptMs: config.sessionRecordingHours * hourMs,
      },
      programs: {
        concurrency: config.executeConcurrency,
        mayRunUnsandboxed: config.executeUnsandboxed,
        searchPath: config.searchPath,
        hiddenFolders: [resolve(config.dataDir), ownCode],
        languages: config.executeLanguages,
      },
    },
  };
}

export function reachOptions(config: Config): ReachOptions {
  return {
    memoryMs: config.reachMemoryMs,
    obeysAlways: config.respectRobots === "all",
    allowsCallerProxy: config.allowCallerProxy,
    solverUrl: config.flaresolverrUrl,
  };
}

export function pagesOptions(config: Config): PagesOptions {
  const { ocrLanguages: languages, ocrProgram: program } = config;
  return {
    isShared: config.sharedCache,
    cacheDays: config.pageCacheDays,
    files: { processes: config.documentProcesses, maxMemoryMb: config.documentMemoryMb },
    recognition: { languages, ...(program ? { program } : {}) },
    flows: { stepMs: config.flowStepMs, healScore: config.flowHealScore, healLead: config.flowHealLead },
  };
}

export function archivesOptions(config: Config, version: string): ArchivesOptions {
  return {
    isOn: config.archive,
    teamBytes: config.archiveMegabytes * megabyte,
    days: config.archiveDays,
    software: `Trawl/${version}`,
  };
}

export function oauthOptions(config: Config) {
  return {
    hasRegistration: config.oauthRegistration,
    registrationsPerHour: config.oauthRegistrationsPerHour,
    clientHosts: config.oauthClientHosts,
    accessMinutes: config.oauthAccessMinutes,
    refreshDays: config.oauthRefreshDays,
  };
}
