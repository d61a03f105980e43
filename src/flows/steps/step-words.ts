// A step in words, as messages and the dashboard show it.
import type { FlowStep, FlowTarget } from "../../contract/index.ts";

const verbs: Record<FlowStep["type"], string> = {
  navigate: "open",
  click: "click",
  doubleClick: "double-click",
  hover: "point at",
  fill: "fill in",
  select: "select in",
  check: "check",
  press: "press",
  upload: "choose a file in",
  dialog: "answer the dialog",
  wait: "wait",
  scroll: "scroll",
  back: "go back",
  close: "close the window",
};

/** `click button “Find” in “Products”`. Never with what is typed. */
export function stepInWords({ type, url, target, key, checked, milliseconds, direction }: FlowStep): string {
  const verb = type === "check" && checked === false ? "uncheck" : verbs[type];
  const what =
    type === "navigate"
      ? url
      : type === "press"
        ? key
        : type === "wait" && milliseconds
          ? `${milliseconds} ms`
          : undefined;
  const to = type === "wait" && target ? "for " : type === "press" && target ? "in " : "";
  const parts = [verb, what, direction, target && `${to}${targetInWords(target)}`];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

export function targetInWords({
  role,
  tag,
  name,
  label,
  placeholder,
  text,
  near,
  within,
  by,
  position,
}: FlowTarget): string {
  const shown = name ?? label ?? placeholder ?? text ?? near;
  const kind = role ?? (text === undefined ? (tag ?? "element") : "text");
  const place = by === "position" ? ` number ${position?.index ?? 1}` : "";
  const called = shown === undefined ? "" : ` “${shown}”`;
  return `${kind}${place}${called}${within === undefined ? "" : ` in “${within.name}”`}`;
}
