export type {
  Approval,
  ApprovalObject,
  ApprovalQuery,
  ApprovalStatus,
  Decision,
  Execution,
  ExecutionCause,
  ExecutionQuery,
  ExecutionRequest,
  ExecutionTimeline,
} from './call-resources.js';
export type { CallService, Client } from './client.js';
export type { ClientOptions, FetchInit, GivenToken, SharedOptions } from './config.js';
export { type Connector, connector, type ToolCaller, type ToolEntry } from './connector.js';
export { createClient } from './create-client.js';
export {
  AccountNotAuthorizedError,
  ApprovalRequiredError,
  ConnectionError,
  type Failure,
  type InputProblem,
  InvalidInputError,
  isServiceError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UpstreamError,
} from './errors.js';
export type { AnyTool, Executed, ExecuteOptions, ExecuteTool, ToolCall, ToolNamed } from './execute-tool.js';
export type * from './generated/event-types.js';
export { manage } from './manage.js';
export type {
  Accounts,
  Approvals,
  Connections,
  Deliveries,
  Events,
  Executions,
  List,
  ManagingClient,
  TokenQuery,
  Tokens,
  UpdateOptions,
  Watches,
  WebhookEndpoints,
  WebhookSubscriptions,
} from './managing-client.js';
export { type NarrowerLimits, narrowToken } from './narrow-token.js';
export type { ProxyRequest, ProxyResponse, SendRequest } from './proxy-request.js';
export type {
  AccountDetails,
  AccountName,
  AccountQuery,
  AccountReference,
  AccountSecrets,
  AccountStatus,
  ApprovalPolicy,
  AuthorizationLink,
  ConnectedAccount,
  Connection,
  ConnectionHealth,
  ConnectionSettings,
  ConnectionState,
  ConnectionTest,
  Credentials,
  ImportedTokens,
  LinkRequest,
  ListPage,
  NewConnection,
  PageQuery,
  RevokedAccount,
  Verification,
  VerifiedAccount,
} from './resources.js';
export type { QueryParams, ServiceCall } from './service-call.js';
export type { ServiceEvent, UpstreamEvent, UpstreamEventData } from './service-event.js';
export type {
  ArgumentLimit,
  IssuedToken,
  ListedToken,
  ProxyLimit,
  TokenLimits,
  TokenRequest,
} from './token-limits.js';
export type {
  CallOptions,
  DryRunOptions,
  DryRunResult,
  Limit,
  PagedTool,
  PlannedRequest,
  Tool,
  ToolOptions,
  ToolResult,
  Tools,
  WebhookPayloads,
} from './tool.js';
export type { WaitOptions } from './wait-until-authorized.js';
export type { NewWatch, Watch, WatchInput, WatchList, WatchQuery, WatchSettings } from './watch.js';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryQuery,
  EventQuery,
  EventType,
  NewWebhookEndpoint,
  NewWebhookSubscription,
  WebhookEndpoint,
  WebhookEndpointSettings,
  WebhookEndpointWithSecret,
  WebhookSubscription,
} from './webhook-resources.js';
