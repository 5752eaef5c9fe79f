import type { ResponseOf } from '../../api/call.ts';

export type Execution = ResponseOf<'GET /operator/v1/applications/{applicationId}/executions/{executionId}'>;

export interface Span {
  readonly kind: 'waited' | 'upstream' | 'own';
  readonly title: string;
  readonly ms: number;
  /** Start of the phase, in milliseconds since the start of the call. */
  readonly from: number;
}

/**
 * Splits the duration of a call into phases. Time that is neither queueing nor upstream time counts as time in this
 * service.
 */
export function spansOf(execution: Execution): readonly Span[] {
  const { durationMs, waitedMs = 0, upstreamMs = 0, refreshed } = execution;
  const ownMs = Math.max(0, durationMs - waitedMs - upstreamMs);
  const own = refreshed ? 'Time in this service, including a token refresh' : 'Time in this service';
  const parts = [
    { kind: 'waited', title: 'Queue time in this service', ms: waitedMs },
    { kind: 'own', title: own, ms: ownMs },
    { kind: 'upstream', title: 'Time at the upstream', ms: upstreamMs },
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
}: Pick<Execution, 'kind' | 'toolName' | 'method'>): string =>
  kind === 'tool' ? (toolName ?? 'Tool call') : `${method ?? ''} proxy request`.trim();

export const isFailed = ({ status, errorCode }: Pick<Execution, 'status' | 'errorCode'>): boolean =>
  errorCode !== undefined || status >= 400;

function requestsOf(attempts: number): string {
  if (attempts === 0) return 'No request was sent to the upstream.';
  if (attempts === 1) return 'One request was sent to the upstream.';
  return `${attempts} requests were sent to the upstream, because the tool sends several requests or the service retried a request.`;
}

/** Describes the recorded facts of a call, one sentence for each. */
export function describeSteps({ attempts, refreshed, upstreamStatus }: Execution): readonly string[] {
  return [
    ...(refreshed ? ['The service refreshed the access token of the account before the call.'] : []),
    ...(attempts === undefined ? [] : [requestsOf(attempts)]),
    ...(upstreamStatus === undefined ? [] : [`The last upstream status was ${upstreamStatus}.`]),
  ];
}
