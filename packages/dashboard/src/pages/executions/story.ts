import type { Answer } from '../../api/call.ts';

export type Execution = Answer<'GET /operator/v1/applications/{applicationId}/executions/{executionId}'>;

/** A part of the time that a call took. */
export interface Span {
  readonly kind: 'waited' | 'upstream' | 'own';
  readonly title: string;
  readonly ms: number;
  /** The start, in milliseconds since the start of the call. */
  readonly from: number;
}

/** The time of a call by its parts, in order. The remainder is the work of this service. */
export function spansOf(execution: Execution): readonly Span[] {
  const { durationMs, waitedMs = 0, upstreamMs = 0, refreshed } = execution;
  const ownMs = Math.max(0, durationMs - waitedMs - upstreamMs);
  const own = refreshed ? 'In this service, with the renewal of a credential' : 'In this service';
  const parts = [
    { kind: 'waited', title: 'Waiting for its turn in this service', ms: waitedMs },
    { kind: 'own', title: own, ms: ownMs },
    { kind: 'upstream', title: 'At the upstream service', ms: upstreamMs },
  ] as const;
  const shown = parts.filter(({ kind, ms }) => ms > 0 || kind === 'own');
  return shown.map((part, index) => ({
    ...part,
    from: shown.slice(0, index).reduce((sum, { ms }) => sum + ms, 0),
  }));
}

/** The title of a call. */
export const titleOf = ({
  kind,
  toolName,
  method,
}: Pick<Execution, 'kind' | 'toolName' | 'method'>): string =>
  kind === 'tool' ? (toolName ?? 'A tool') : `${method ?? 'A'} request through the proxy`;

export const isFailed = ({ status, errorCode }: Pick<Execution, 'status' | 'errorCode'>): boolean =>
  errorCode !== undefined || status >= 400;

function sentOf(attempts: number): string {
  if (attempts === 0) return 'Nothing was sent to the upstream service.';
  if (attempts === 1) return 'One request was sent to the upstream service.';
  return `${attempts} requests were sent to the upstream service: the tool takes several, or one was repeated.`;
}

/** The steps of a call as sentences; none where they were not recorded. */
export function storyOf({ attempts, refreshed, upstreamStatus }: Execution): readonly string[] {
  return [
    ...(refreshed ? ['The credential of the account was renewed first.'] : []),
    ...(attempts === undefined ? [] : [sentOf(attempts)]),
    ...(upstreamStatus === undefined ? [] : [`Its last status was ${upstreamStatus}.`]),
  ];
}
