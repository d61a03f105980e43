// Ctrl-K: go anywhere by typing a part of its name.
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { Dialog } from "../parts/common-parts.tsx";
import { sections } from "./sections.tsx";

interface Command {
  name: string;
  hint: string;
  run(): void;
}

export function CommandPalette({ onClose, extra }: { onClose(): void; extra: readonly Command[] }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const listId = useId();
  const commands: Command[] = [
    ...sections.map(({ name, path }) => ({ name, hint: "Go to", run: () => void navigate({ to: path }) })),
    ...extra,
  ];
  const found = commands.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const chosen = Math.min(place, Math.max(found.length - 1, 0));

  function run(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === "ArrowDown") setPlace(Math.min(chosen + 1, found.length - 1));
    else if (event.key === "ArrowUp") setPlace(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  }
  return (
    <Dialog title="Commands" className="palette" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[chosen] ? `${listId}-${chosen}` : undefined}
        placeholder="Go to …"
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        onChange={(event) => {
          setText(event.target.value);
          setPlace(0);
        }}
        onKeyDown={onKey}
      />
      <div className="options" id={listId} role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the box above, which has the focus
          <div
            key={command.name}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => run(command)}
            onMouseMove={() => setPlace(index)}
          >
            <span>{command.name}</span>
            <span className="faint">{command.hint}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
