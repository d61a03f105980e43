export { createWebhookDelivery, type WebhookDelivery } from "./deliver.ts";
