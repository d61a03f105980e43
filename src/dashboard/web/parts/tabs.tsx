// Tabs as the keyboard expects them: arrows move between them, Tab goes into the panel.
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface TabPanel {
  name: string;
  panel: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly TabPanel[];
  chosen: string;
  onChoose(name: string): void;
}

export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const place = Math.max(
    tabs.findIndex(({ name }) => name === chosen),
    0,
  );
  const current = tabs[place];

  function onKey(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowRight: place + 1,
      ArrowLeft: place - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (step + tabs.length) % tabs.length;
    onChoose(tabs[next]?.name ?? chosen);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            className="tab"
            aria-selected={index === place}
            aria-controls={`${id}-panel`}
            tabIndex={index === place ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div className="card-body" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${place}`}>
        {current?.panel}
      </div>
    </>
  );
}

interface SegmentsProps<Value extends string> {
  label: string;
  values: readonly Value[];
  chosen: Value;
  onChoose(value: Value): void;
}

/** One of a few. */
export function Segments<Value extends string>({ label, values, chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {value}
        </button>
      ))}
    </fieldset>
  );
}
