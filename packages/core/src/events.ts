export type {
  AccountAuthorizedData,
  AccountAuthorizedEvent,
  AccountDeletedData,
  AccountDeletedEvent,
  AccountPendingVerificationData,
  AccountPendingVerificationEvent,
  AccountReauthorizationRequiredData,
  AccountReauthorizationRequiredEvent,
  ApprovalDecidedData,
  ApprovalDecidedEvent,
  ApprovalRequestedData,
  ApprovalRequestedEvent,
  ConnectionChangedData,
  ConnectionChangedEvent,
  EndpointDisabledData,
  EndpointDisabledEvent,
  ExecutionFailedData,
  ExecutionFailedEvent,
  OwnEvent,
} from './generated/event-types.js';
export type { ServiceEvent, UpstreamEvent, UpstreamEventData } from './service-event.js';
export {
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookHeaders,
  type WebhookProblem,
} from './verify-webhook.js';
