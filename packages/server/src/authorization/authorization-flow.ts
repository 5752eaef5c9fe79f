import { ServiceError } from '../errors.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { Place } from '../vault/vault.js';
import { type ApprovalParts, approvalOfFlow, refusedBy } from './approval.js';
import type { RefuseApproval } from './refuse-approval.js';

export interface ConsumeFlowParts extends ApprovalParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts' | 'authorizationFlows'>;
  readonly refuseApproval: RefuseApproval;
  readonly digest: Digest;
  readonly now: () => number;
}

/** How long a user may take on the upstream's pages. */
export const FLOW_LIFE_MS = 10 * 60_000;

export const verifierPlace = ({
  applicationId,
  id,
}: Pick<AuthorizationFlowRow, 'applicationId' | 'id'>): Place => ({
  applicationId,
  table: 'authorization_flows',
  rowId: id,
  column: 'code_verifier',
});

/** State and browser cookie, as the database stores them. */
export const flowDigests = (digest: Digest, state: string, { browser }: { readonly browser: string }) => ({
  stateDigest: digest('state', state),
  browserDigest: digest('browser', browser),
});

export interface Callback {
  /** From the path. */
  readonly connectionId: string;
  readonly parameters: URLSearchParams;
  /** The cookie that the browser got when it opened the link. */
  readonly browser: string | undefined;
}

/** Finds the flow of a callback and consumes it. Throws forbidden when anything about the callback does not fit. */
export type ConsumeFlow = (callback: Callback) => Promise<AuthorizationFlowRow>;

export const START_AGAIN = 'Go back to the application and start again.';

export const approvalIsOver = (reason = 'approval_over') =>
  new ServiceError(
    'forbidden',
    `This approval is over: it was completed, took too long, or was begun in another browser. ${START_AGAIN}`,
    { reason },
  );

type Digests = ReturnType<typeof flowDigests>;

function reasonOf(
  flow: AuthorizationFlowRow,
  { browserDigest }: Digests,
  { connectionId }: Callback,
): string {
  if (flow.browserDigest !== browserDigest) return 'other_browser';
  if (flow.connectionId !== connectionId) return 'other_connection';
  return flow.consumedAt === null ? 'expired' : 'used_before';
}

export function createConsumeFlow(parts: ConsumeFlowParts): ConsumeFlow {
  const { storage, refuseApproval, digest, now } = parts;
  const { authorizationFlows } = storage;

  // One statement finds and consumes the flow, so that what does not fit together causes no token request.
  return async (callback) => {
    const { connectionId, parameters, browser } = callback;
    const state = parameters.get('state');
    if (state === null) throw approvalIsOver();
    // A browser without the cookie has the digest of none, which no flow has.
    const digests = flowDigests(digest, state, { browser: browser ?? '' });
    const consumed = await authorizationFlows.consumeFlow({ ...digests, connectionId, now: now() });
    if (consumed) return consumed;
    const flow = await authorizationFlows.findFlow(digests.stateDigest);
    if (!flow) throw approvalIsOver();
    const reason = reasonOf(flow, digests, callback);
    await refuseApproval({ flow, reason });
    // Another browser is told nothing of what this one was asked.
    const isSameBrowser = flow.browserDigest === digests.browserDigest;
    throw refusedBy(approvalIsOver(reason), isSameBrowser ? await approvalOfFlow(parts, flow) : undefined);
  };
}
