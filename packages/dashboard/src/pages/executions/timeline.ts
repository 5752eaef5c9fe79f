import type { ResponseOf } from '../../api/call.ts';
import { FAILURES, UNREACHED } from '../../words/reasons.ts';

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

/**
 * Returns true for a call that did not run, because it needed the approval of a person. It has not failed. The approval
 * may have been decided since.
 */
export const isWaiting = ({ errorCode }: Pick<Execution, 'errorCode'>): boolean => errorCode === WAITING;

export const isFailed = ({ status, errorCode }: Pick<Execution, 'status' | 'errorCode'>): boolean =>
  errorCode === undefined ? status >= 400 : errorCode !== WAITING;

type Request = NonNullable<Execution['requests']>[number];

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
