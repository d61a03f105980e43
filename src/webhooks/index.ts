export type { NoticeAnswer, NoticeEvent } from "./attempt.ts";
export { createWebhookDelivery, type WebhookDelivery } from "./deliver.ts";
