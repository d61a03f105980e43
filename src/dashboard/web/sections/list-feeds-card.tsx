// Feeds of list pages, which any reader can subscribe to by their URL.
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Badge, Card, Copy, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton, InputField, SubmitForm } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/v2/feed";

export function ListFeeds() {
  const feeds = useRead<"listFeeds">(`${path}?limit=100`);
  const create = useChange<object, "createFeed">((body) => call("POST", path, body), [path]);
  const remove = useChange<string, "deleteFeed">((id) => call("DELETE", `${path}/${id}`), [path]);
  return (
    <Card title="Feeds of list pages">
      <ChangeProblem error={remove.error} />
      <Listed
        of={feeds}
        rows={({ data }) => data}
        keyOf={({ id }) => id}
        empty={<Empty title="No feeds yet">The items of a list page become a feed that any reader can follow.</Empty>}
        columns={[
          {
            name: "Name",
            cell: ({ name, url, error }) => (
              <>
                <span className="cut">{name}</span>
                <span className="cut faint">{error ?? url}</span>
              </>
            ),
          },
          { name: "Status", cell: ({ status }) => <Badge state={status === "failing" ? "failed" : status} /> },
          { name: "Items", kind: "number", cell: ({ itemCount }) => itemCount },
          { name: "Next refresh", cell: ({ nextRunAt }) => <Time at={nextRunAt} none="not planned" /> },
          {
            name: "Actions",
            kind: "actions",
            cell: ({ id, feedUrl }) => (
              <div className="row">
                <Copy text={feedUrl} label="Copy URL" />
                <ActionButton kind="small danger" onClick={() => remove.mutate(id)}>
                  Delete
                </ActionButton>
              </div>
            ),
          },
        ]}
      />
      <SubmitForm
        action="Make feed"
        isBusy={create.isPending}
        error={create.error}
        onSend={(text, reset) => {
          const item = text("item").trim();
          create.mutate({ url: text("list"), ...(item === "" ? {} : { item }) }, { onSuccess: reset });
        }}
      >
        <div className="grid halves">
          <InputField label="List page" name="list" type="url" required placeholder="https://example.com/blog" />
          <InputField
            label="Selector of an item"
            name="item"
            hint="Leave it empty, and the list of the page is found."
            autoComplete="off"
          />
        </div>
      </SubmitForm>
    </Card>
  );
}
