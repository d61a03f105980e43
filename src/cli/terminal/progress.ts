// How far a job is, on standard error: one line that is overwritten on a terminal, a plain line every few seconds elsewhere.
import { oneLine } from "./printing.ts";

interface State {
  status: string;
  total: number;
  written: number;
  failed: number;
  host: string;
}

/** Where it is written: standard error, unless a test looks. */
interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const pipedMs = 5000;
/** For terminals that do not know theirs, or say 0. */
const usualColumns = 80;

export function createProgress(screen: Screen = process.stderr, now: () => number = () => performance.now()) {
  const isTerminal = screen.isTTY === true;
  const startedAt = now();
  let toldAt = startedAt;
  let state: State = { status: "scraping", total: 0, written: 0, failed: 0, host: "" };

  const count = () => `${state.written} of ${Math.max(state.total, state.written)} pages`;

  function liveLine(): string {
    const perSecond = state.written / Math.max(0.001, (now() - startedAt) / 1000);
    const left = Math.max(0, state.total - state.written - state.failed);
    return [
      count(),
      ...(state.written > 0 ? [`${perSecond.toFixed(1)}/s`] : []),
      ...(state.failed > 0 ? [`${state.failed} ${state.failed === 1 ? "error" : "errors"}`] : []),
      ...(state.written > 0 && left > 0 ? [`${timeText(left / perSecond)} left`] : []),
      ...(state.host === "" ? [] : [oneLine(state.host)]),
    ].join(", ");
  }

  return {
    /** Whether somebody would see more than the last line now. */
    isDue: () => isTerminal || now() - toldAt >= pipedMs,
    show(change: Partial<State>): void {
      state = { ...state, ...change };
      if (isTerminal) screen.write(`\r\u001b[K${liveLine().slice(0, (screen.columns || usualColumns) - 1)}`);
      else if (now() - toldAt >= pipedMs) {
        toldAt = now();
        screen.write(`${state.status}: ${count()}\n`);
      }
    },
    end(failed: number, blocked: number): void {
      const more = [
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(blocked > 0 ? [`${blocked} disallowed by robots.txt`] : []),
      ];
      screen.write(`${isTerminal ? "\r\u001b[K" : ""}${[`${state.status}: ${count()}`, ...more].join(", ")}\n`);
    },
  };
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
