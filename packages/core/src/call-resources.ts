import type { AccountName, PageQuery } from './resources.js';

/**
 * Status of an approval. `expired`: nobody decided in time, or no caller repeated the approved call in time.
 * `interrupted`: the call began, and its outcome is unknown.
 */
export type ApprovalStatus =
  | 'pending'
  | 'approved'
  | 'running'
  | 'executed'
  | 'denied'
  | 'expired'
  | 'interrupted';

/** Existing object that a tool call names by id. */
export interface ApprovalObject {
  /** Field of the tool input with the id of the object. */
  input: string;
  /** Title of the object when the approval was requested. */
  title: string;
  /** Date or time of the object in ISO 8601, such as the start of an event. */
  date?: string;
}

/** Tool call that a person approves or denies before it runs. */
export interface Approval extends AccountName {
  id: string;
  status: ApprovalStatus | (string & {});
  /** Sentence that describes the effect of the call to a person. */
  sentence: string;
  toolName: string;
  /** Exact input of the tool call. Values of fields that are named like secrets are hidden. */
  toolInput: Record<string, unknown>;
  /** Existing object that the call changes. Absent if the tool names no object, or if the service could not read it. */
  object?: ApprovalObject;
  /** Id of the connected account that the call uses. */
  accountId: string;
  /** Caller of the tool: the application, `token:<id>` or `operator:<name>`. */
  requestedBy: string;
  /** Time of the tool call, in ISO 8601. */
  createdAt: string;
  /** Time at which the approval's current status expires, in ISO 8601. */
  expiresAt: string;
  /** Person who approved or denied the call. `user` means anybody with the link. */
  decidedBy?: string;
  /** Time of the decision, in ISO 8601. Absent while nobody has decided. */
  decidedAt?: string;
  /** Reason that the person gave for the decision. */
  reason?: string;
  /** Id of the execution of the approved call. */
  executionId?: string;
  /**
   * URL of the approval page, while the approval is pending. Anybody with the link can decide, so never give the link
   * to the caller.
   */
  link?: string;
}

/** Decision of a person to approve or deny a tool call. */
export interface Decision {
  decision: 'approve' | 'deny';
  /** Reason for the decision, which the caller sees. */
  reason?: string | undefined;
}

/** Filters and order for a list of approvals. */
export type ApprovalQuery = PageQuery & {
  status?: ApprovalStatus | undefined;
  /** User for whose accounts the approvals are. */
  identifier?: string | undefined;
  /** Approvals that are listed first. Default: `newest`. */
  order?: 'newest' | 'oldest' | undefined;
};

/** Filters for executions. The list is sorted by time, newest first by default. */
export type ExecutionQuery = PageQuery & {
  connectionName?: string | undefined;
  /** Full name of the tool, such as `calendar_create_event`. */
  toolName?: string | undefined;
  /** HTTP status of the service's response to the caller. */
  status?: number | undefined;
  /** Id of a connected account. */
  accountId?: string | undefined;
  /** User whose executions are listed, with all of the user's accounts. */
  identifier?: string | undefined;
  /** Id of the request, from the header `svc-request-id` or an error. */
  requestId?: string | undefined;
  /** Trace id of the header `traceparent`: 32 lower-case hexadecimal digits. */
  traceId?: string | undefined;
  /** True to list only failed executions: a status of 400 or above, or an interrupted response. */
  failed?: boolean | undefined;
  /** Earliest start of the execution, such as `2026-11-20` or `2026-11-20T09:00:00Z`. */
  since?: string | undefined;
  /** Time before which executions started. Executions that started at this time or later are left out. */
  until?: string | undefined;
  /** Executions that are listed first. Default: `newest`. */
  order?: 'newest' | 'oldest' | undefined;
};

/** Execution of a tool call or a proxied request. Request and response bodies are not stored. */
export interface Execution {
  id: string;
  kind: 'tool' | 'proxy';
  /** Name of the connection. Absent if the call named none. */
  connectionName?: string;
  /** Id of the account. Absent if the call ended before the service had found an account. */
  accountId?: string;
  /** Identifier of the account that the call used or named. Absent when the account was deleted. */
  accountIdentifier?: string;
  /** Label of the account that the call used. Absent without a label. */
  accountLabel?: string;
  /** Name of the tool. Absent for a proxied request. */
  toolName?: string;
  /** HTTP method of a proxied request. Absent for a tool call. */
  method?: string;
  /** Path of a proxied request at the upstream, with `{id}` for each id and without the query. */
  path?: string;
  /** HTTP status of the service's response to the caller. */
  status: number;
  /** Error code of the response. Absent if the call succeeded. */
  errorCode?: string;
  /** HTTP status of the upstream's last response. Absent when nothing was sent to the upstream. */
  upstreamStatus?: number;
  /** Duration of the call in milliseconds. */
  durationMs: number;
  /** Time at which the call started, in ISO 8601. */
  startedAt: string;
  /** Id that the service gave the request. */
  requestId: string;
  /** Trace id of the header `traceparent` of the call. Absent if the call had no valid `traceparent`. */
  traceId?: string;
  /** Version of the service that ran the call. */
  serviceVersion: string;
  /**
   * Number of equal calls that the service refused within one minute, for which this execution stands. 1 for every
   * other execution.
   */
  count: number;
}

/** Cause of a failed execution, without inputs and secrets. */
export interface ExecutionCause {
  /**
   * Reason of the error in one word, such as `circuit_breaker`, `queue`, `refresh` or `storage` for the error
   * `unavailable`.
   */
  reason?: string;
  /** Fields of the input that broke a rule, without their values. */
  fields?: { field: string; rule: string }[];
  /** Machine-readable error code of the upstream. */
  upstreamCode?: string;
  /** Message of the upstream without secrets and user data, at most 300 characters. */
  upstreamMessage?: string;
  /** True if the execution counts further refused calls of a minute, which are not recorded one by one. */
  isRest?: boolean;
}

/** Request of an execution to the upstream. */
export interface ExecutionRequest {
  /** Milliseconds until the response began or the request failed. */
  ms: number;
  /** Milliseconds that the service paused before it repeated the request. */
  pauseMs: number;
  /** HTTP status of the response. Absent without a response. */
  status?: number;
  /** Reason why the request got no response, such as `timeout`. */
  failure?: string;
}

/** Execution of a tool call or proxied request, with its attempts, waiting times and token refreshes. */
export interface ExecutionTimeline extends Execution {
  /** Id of the call's approval, if the call needed one. */
  approvalId?: string;
  /** Number of requests that the service sent to the upstream, including retries. */
  attempts?: number;
  /** True if the access token was refreshed during the call. */
  refreshed?: boolean;
  /** Milliseconds that the call waited for responses of the upstream. */
  upstreamMs?: number;
  /**
   * Milliseconds that the call waited in the service for a free slot, before the service sent requests to the upstream.
   */
  waitedMs?: number;
  /** Milliseconds that the call paused before it repeated requests. */
  pausedMs?: number;
  /** Cause of a failure. Absent if the error code says everything. */
  cause?: ExecutionCause;
  /** First ten requests to the upstream, in order. */
  requests?: ExecutionRequest[];
}
