export type { NoticeAnswer, NoticeDelivery } from "./attempt.ts";
export { createWebhookDelivery, type WebhookDelivery } from "./deliver.ts";
