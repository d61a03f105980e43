// The exact lines for each tool, with a key filled in.
import { useState } from "react";
import { useRead } from "../api/queries.ts";
import { Card, Code, SectionHead } from "../parts/common-parts.tsx";
import { InputField } from "../parts/form-parts.tsx";
import { Loaded } from "../parts/states.tsx";

const placeholder = "YOUR_API_KEY";

export function ConnectSection() {
  const tools = useRead<"listTools">("/dashboard/api/connect");
  const [key, setKey] = useState("");
  const [text, setText] = useState("");
  const filled = (line: string) => line.replace(/\bKEY\b/g, key.trim() || placeholder);
  return (
    <>
      <SectionHead
        title="Connect"
        about="Point other tools here. Paste a key to have it filled in; it stays in this page and is not sent anywhere."
      />
      <div className="stack">
        <Card>
          <div className="card-body grid halves">
            <InputField
              label="Key"
              className="input mono"
              placeholder="fc-…"
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
            <InputField
              label="Find a tool"
              type="search"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        </Card>
        <Loaded of={tools}>
          {({ tools: list }) => (
            <div className="grid halves">
              {list
                .filter(({ tool, use }) => `${tool} ${use}`.toLowerCase().includes(text.trim().toLowerCase()))
                .map(({ tool, use, speaks, lines }) => (
                  <Card
                    key={`${tool} ${use} ${speaks}`}
                    title={tool}
                    actions={<span className="faint">{[use, speaks].filter(Boolean).join(" · ")}</span>}
                  >
                    <div className="card-body">
                      <Code text={lines.map(filled).join("\n")} />
                    </div>
                  </Card>
                ))}
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}
