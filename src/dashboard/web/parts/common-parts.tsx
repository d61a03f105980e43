// A section's heading, and the small parts that all sections share.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ActionButton } from "./form-parts.tsx";

export function SectionHead({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Trawl`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {about ? <p>{about}</p> : null}
      </div>
      {children ? <div className="page-actions">{children}</div> : null}
    </header>
  );
}

export function Card({ title, actions, children }: { title?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="card">
      {title || actions ? (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      ) : null}
      {children}
    </section>
  );
}

/** One figure of a list of them (`dl.stats`). */
export function Stat({ name, value, note = "" }: { name: string; value: ReactNode; note?: string }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd>
        {value} {note ? <span className="note">{note}</span> : null}
      </dd>
    </div>
  );
}

interface TimeProps {
  at: string | number | null | undefined;
  none?: string;
  /** The time of day alone. */
  isShort?: boolean;
}

/** A date in the reader's own time; UTC when it is pointed at. */
export function Time({ at, none = "never", isShort = false }: TimeProps) {
  if (at === null || at === undefined) return <span className="faint">{none}</span>;
  const date = new Date(at);
  const utc = date.toISOString();
  const text = isShort
    ? date.toLocaleTimeString(undefined, { timeStyle: "medium" })
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return (
    <time dateTime={utc} title={`${utc.slice(0, 19).replace("T", " ")} UTC`}>
      {text}
    </time>
  );
}

export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  }
  return (
    <ActionButton kind="small copy" onClick={() => void copy()}>
      {isCopied ? "Copied" : label}
    </ActionButton>
  );
}

/** Lines to paste elsewhere. */
export function Code({ text, isTall = false }: { text: string; isTall?: boolean }) {
  return (
    <div className={`code with-copy${isTall ? " tall" : ""}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <pre tabIndex={isTall ? 0 : undefined}>{text}</pre>
      <Copy text={text} />
    </div>
  );
}

type Tone = "good" | "warn" | "bad" | "live" | "plain";

const tones: Readonly<Record<string, Tone>> = {
  completed: "good",
  succeeded: "good",
  ok: "good",
  active: "live",
  delivered: "good",
  same: "plain",
  scraping: "live",
  running: "live",
  processing: "live",
  queued: "plain",
  paused: "warn",
  changed: "warn",
  pending: "warn",
  absent: "plain",
  failed: "bad",
  error: "bad",
  cancelled: "plain",
};

export function Badge({ state, children }: { state: string; children?: ReactNode }) {
  return <span className={`badge ${tones[state] ?? "plain"}`}>{children ?? state}</span>;
}

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  className?: string;
}

/** Open as long as it is there. The browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, className = "" }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={`dialog ${className}`} aria-label={title} onClose={onClose}>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: ReactNode;
  action: string;
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function Confirm({ title, text, action, isBusy, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <h2>{title}</h2>
        <p>{text}</p>
        <div className="dialog-foot">
          <ActionButton onClick={onClose}>Keep</ActionButton>
          <ActionButton kind="danger" disabled={isBusy} onClick={onConfirm}>
            {action}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}

/** A secret to copy, which is never shown again. */
export function ShownOnce({
  title,
  about,
  text,
  onClose,
}: {
  title: string;
  about: string;
  text: string;
  onClose(): void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <h2>{title}</h2>
        <p>{about}</p>
        <Code text={text} />
        <div className="dialog-foot">
          <ActionButton kind="primary" onClick={onClose}>
            Done
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}

export function count(value: number): string {
  return value.toLocaleString();
}

/** With its noun, in the singular where there is one. */
export function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function duration(ms: number | null): string {
  if (ms === null) return "–";
  const [value, unit] = ms < 1000 ? [Math.round(ms), "ms"] : ms < 60_000 ? [ms / 1000, "s"] : [ms / 60_000, "min"];
  return `${value.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}
