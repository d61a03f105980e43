// Channels that are told of what happens, whether deliveries are signed, and those of the last day.
import { useRead, useSession } from "../api/queries.ts";
import { Card, SectionHead } from "../parts/common-parts.tsx";
import { Deliveries } from "../parts/deliveries.tsx";
import { NoticeChannels } from "./notices.tsx";

export function WebhooksSection() {
  const isOwner = useSession().data?.role === "owner";
  const settings = useRead<"listSettings">("/dashboard/api/settings", { isOff: !isOwner });
  const secret = settings.data?.sections
    .flatMap((section) => section.settings)
    .find(({ name }) => name === "WEBHOOK_SECRET");
  return (
    <>
      <SectionHead
        title="Webhooks"
        about="Events of jobs and monitors, and notices to your channels, delivered at least once and in order."
      />
      <div className="stack">
        {secret ? (
          <p className="notice">
            {secret.isSet
              ? "Deliveries are signed with WEBHOOK_SECRET: compare X-Webhook-Signature."
              : "Deliveries are not signed: set WEBHOOK_SECRET on the server."}
          </p>
        ) : null}
        <NoticeChannels />
        <Card title="Deliveries of the last 24 hours">
          <Deliveries />
        </Card>
      </div>
    </>
  );
}
