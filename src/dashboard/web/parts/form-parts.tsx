// Buttons, fields, and forms from what is typed to the answer.
import { type ComponentProps, type FormEvent, type ReactNode, useId } from "react";
import type { CallError } from "../api/call.ts";
import { ChangeProblem } from "./states.tsx";

type ButtonKind = "primary" | "live" | "danger" | "small" | "small danger" | "small copy";

export function ActionButton({ kind, ...rest }: ComponentProps<"button"> & { kind?: ButtonKind | undefined }) {
  return <button type="button" className={kind ? `button ${kind}` : "button"} {...rest} />;
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** Gets the id of the control and of what describes it. */
  children: (ids: { id: string; "aria-describedby"?: string }) => ReactNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(hint ? { id, "aria-describedby": `${id}-hint` } : { id })}
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  );
}

/** A field of one line. */
export function InputField({ label, hint, ...input }: Omit<FieldProps, "children"> & ComponentProps<"input">) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <input className="input" {...ids} {...input} />}
    </Field>
  );
}

/** A field of several lines. */
export function TextField({ label, hint, ...area }: Omit<FieldProps, "children"> & ComponentProps<"textarea">) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <textarea className="input" rows={2} {...ids} {...area} />}
    </Field>
  );
}

export function CheckBox({ label, isOn, onToggle }: { label: string; isOn: boolean; onToggle(isOn: boolean): void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onToggle(event.target.checked)} />
      {label}
    </label>
  );
}

/** What narrows a list while it is typed. */
export function SearchBox({ label, text, onType }: { label: string; text: string; onType(text: string): void }) {
  return (
    <input
      className="input"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  values: readonly Value[];
  chosen: NoInfer<Value> | "";
  onChoose(value: Value): void;
  /** Shown for the empty value. */
  all?: string;
  /** Shown for a value, where it does not speak for itself. */
  nameOf?(value: Value): string;
}

/** One of a list, in a line with other controls. */
export function Choice<Value extends string>({ label, values, chosen, onChoose, all, nameOf }: ChoiceProps<Value>) {
  return (
    <select
      className="input"
      aria-label={label}
      value={chosen}
      onChange={(event) => onChoose(event.target.value as Value)}
    >
      {all ? <option value="">{all}</option> : null}
      {values.map((value) => (
        <option key={value} value={value}>
          {nameOf?.(value) ?? value}
        </option>
      ))}
    </select>
  );
}

interface FormProps {
  /** What its button says. */
  action: string;
  isPrimary?: boolean;
  isBusy: boolean;
  error: CallError | null;
  className?: string;
  children: ReactNode;
  /** Gets the text of a field by its name; `reset` empties the form. */
  onSend(text: (name: string) => string, reset: () => void): void;
}

export function SubmitForm({
  action,
  isPrimary = true,
  isBusy,
  error,
  className = "card-body",
  children,
  onSend,
}: FormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    onSend(
      (name) => String(data.get(name) ?? ""),
      () => form.reset(),
    );
  }
  return (
    <form className={`${className} stack`} onSubmit={submit}>
      {children}
      <ChangeProblem error={error} />
      <button type="submit" className={isPrimary ? "button primary" : "button"} disabled={isBusy}>
        {action}
      </button>
    </form>
  );
}
