import type { ResponseOf } from '../../api/call.ts';

export type Execution = ResponseOf<'GET /operator/v1/applications/{applicationId}/executions/{executionId}'>;

export interface Span {
  readonly kind: 'waited' | 'upstream' | 'paused' | 'own';
  readonly title: string;
  readonly ms: number;
  /** Start of the phase, in milliseconds since the start of the call. */
  readonly from: number;
}

/**
 * Splits the duration of a call into phases. The phase `own` is the work of this service and the transfer of bodies,
 * which are not measured separately.
 */
export function spansOf(execution: Execution): readonly Span[] {
  const { durationMs, waitedMs = 0, upstreamMs = 0, pausedMs = 0, refreshed } = execution;
  const ownMs = Math.max(0, durationMs - waitedMs - upstreamMs - pausedMs);
  const own = refreshed
    ? 'Work in this service, including a token refresh and the transfer of request and response bodies'
    : 'Work in this service, including the transfer of request and response bodies';
  const parts = [
    { kind: 'waited', title: 'Queue time in this service', ms: waitedMs },
    { kind: 'own', title: own, ms: ownMs },
    { kind: 'paused', title: 'Pauses before retries', ms: pausedMs },
    { kind: 'upstream', title: 'Wait for the upstream’s responses', ms: upstreamMs },
  ] as const;
  const visible = parts.filter(({ kind, ms }) => ms > 0 || kind === 'own');
  return visible.map((part, index) => ({
    ...part,
    from: visible.slice(0, index).reduce((sum, { ms }) => sum + ms, 0),
  }));
}

export const titleOf = ({
  kind,
  toolName,
  method,
  path,
}: Pick<Execution, 'kind' | 'toolName' | 'method' | 'path'>): string =>
  kind === 'tool' ? (toolName ?? 'Tool call') : `${method ?? ''} ${path ?? 'proxy request'}`.trim();

const WAITING = 'approval_required';

/** Returns true for a call that waits for the approval of a person. It has neither run nor failed. */
export const isWaiting = ({ errorCode }: Pick<Execution, 'errorCode'>): boolean => errorCode === WAITING;

export const isFailed = ({ status, errorCode }: Pick<Execution, 'status' | 'errorCode'>): boolean =>
  errorCode === undefined ? status >= 400 : errorCode !== WAITING;

type Request = NonNullable<Execution['requests']>[number];

// Texts for failures in which no connection was made, so that the request did not reach the upstream.
const UNREACHED: Readonly<Record<string, string>> = {
  refused: 'the upstream refused the connection',
  unknown_host: 'the host of the upstream is unknown',
  tls: 'no secure connection was made',
  egress_proxy: 'the egress proxy failed',
  blocked: 'the address of the upstream is blocked',
};

const FAILURES: Readonly<Record<string, string>> = {
  ...UNREACHED,
  timeout: 'the upstream did not respond in time',
  closed: 'the connection broke before a response arrived',
  invalid_response: 'the response was not valid HTTP',
  aborted: 'the caller disconnected',
};

const hasReached = ({ failure }: Request): boolean =>
  failure === undefined || !Object.hasOwn(UNREACHED, failure);

/** Describes the outcome of one request to the upstream. */
export function outcomeOf({ status, failure = '' }: Request): string {
  if (status !== undefined) return `Status ${status}`;
  return `No response: ${Object.hasOwn(FAILURES, failure) ? FAILURES[failure] : failure || 'unknown reason'}`;
}

function requestsOf({ attempts = 0, requests = [] }: Execution): string {
  if (attempts === 0) return 'No request was sent to the upstream.';
  const unreached = requests.filter((request) => !hasReached(request)).length;
  if (unreached > 0 && unreached === attempts)
    return attempts === 1
      ? 'The only request did not reach the upstream.'
      : `None of the ${attempts} requests reached the upstream.`;
  if (attempts === 1) return 'One request was sent to the upstream.';
  const reached = unreached === 0 ? '' : ` ${unreached} of them did not reach the upstream.`;
  return `${attempts} requests were sent to the upstream, because the tool sends several requests or the service repeated a request.${reached}`;
}

/** Describes the recorded facts of a call, one sentence for each. */
export function describeSteps(execution: Execution): readonly string[] {
  const { attempts, count, refreshed, upstreamStatus } = execution;
  return [
    ...(count > 1
      ? [
          `The service refused ${count} equal calls within one minute. This page shows the details of the first call.`,
        ]
      : []),
    ...(refreshed ? ['The service refreshed the access token of the account.'] : []),
    ...(attempts === undefined ? [] : [requestsOf(execution)]),
    ...(upstreamStatus === undefined ? [] : [`The last upstream status was ${upstreamStatus}.`]),
  ];
}

// Texts for the most frequent reasons of failed calls. Other reasons are shown unchanged.
const REASONS: Readonly<Record<string, string>> = {
  circuit_breaker: 'The circuit breaker was open, because the upstream did not respond to earlier calls.',
  queue: 'Too many calls were in progress.',
  refresh: 'The access token could not be refreshed.',
  storage: 'The database of the service was unavailable.',
  memory: 'The application had used its share of the memory for responses.',
  key_service: 'The key service could not be reached.',
  application: 'The rate limit of the application was reached.',
  account: 'The rate limit of the account was reached.',
  user: 'The rate limit of the user was reached.',
  approvals: 'Too many calls were already waiting for approval.',
  input_rejected: 'The upstream rejected the input.',
  call_rejected: 'The upstream rejected the call.',
  unauthorized: 'The user has not given consent yet.',
};

export const reasonWords = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? reason) : reason;
