export { createWebhookDelivery, type WebhookDelivery, type WebhookDeliveryDeps } from "./deliver.ts";
export type { WebhookTarget } from "./message.ts";
