export type * from './generated/event-types.js';
export type { ServiceEvent, UpstreamEvent, UpstreamEventData } from './service-event.js';
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
  type WebhookProblem,
} from './verify-webhook.js';
