import { cutText } from '@svc/catalog';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallApproval } from '../../approvals/call-approval.js';
import type { CallApprovals } from '../../approvals/call-approvals.js';
import type { AccountParties } from '../../authorization/account-parties.js';
import { ServiceError } from '../../errors.js';
import { approvePage, type CallForDecision, MOST_REASON } from './approve-pages.js';
import { checkSameOrigin } from './check-same-origin.js';
import type { Language } from './connect-texts.js';
import { sendPage } from './page-frame.js';

export interface ApproveParts {
  readonly callApprovals: Pick<CallApprovals, 'findByLink' | 'decide'>;
  /** Looks up the application, connector and user of an account. Returns `undefined` if the account was deleted. */
  readonly describe: (of: {
    readonly applicationId: string;
    readonly accountId: string;
  }) => Promise<AccountParties | undefined>;
  /** Public URL of the service. Forms from pages of another origin are refused (CSRF). */
  readonly environmentUrl: string;
}

interface ApproveRoute {
  readonly Params: { readonly token: string };
  readonly Body: { readonly decision?: string; readonly reason?: string };
}

const hidden = { hide: true };
const DECISIONS: Readonly<Record<string, 'approve' | 'deny'>> = { allow: 'approve', deny: 'deny' };

/**
 * Adds the page on which the bearer of a signed link approves or denies one tool call. A GET request never decides.
 */
export function addApprovePage(
  app: FastifyInstance,
  { callApprovals, describe, environmentUrl }: ApproveParts,
  languageOf: (request: FastifyRequest) => Language,
): void {
  async function findCall(token: string): Promise<CallForDecision & { readonly applicationId: string }> {
    const { applicationId, approval: call } = await callApprovals.findByLink(token);
    const parties = await describe({ applicationId, accountId: call.accountId });
    if (parties) return { applicationId, call, parties };
    throw new ServiceError(
      'not_found',
      'The account of this approval was deleted, so nothing runs. You can close this page.',
    );
  }

  const send = (request: FastifyRequest, reply: FastifyReply, call: CallForDecision): FastifyReply =>
    sendPage(reply, approvePage(languageOf(request), call), { parties: call.parties });

  app.get<ApproveRoute>('/approve/:token', { schema: hidden }, async (request, reply) =>
    send(request, reply, await findCall(request.params.token)),
  );

  app.post<ApproveRoute>('/approve/:token', { schema: hidden }, async (request, reply) => {
    checkSameOrigin(request, { environmentUrl, reason: 'other_site_decided' });
    const { decision: pressed = '', reason = '' } = request.body ?? {};
    const decision = DECISIONS[pressed];
    const callForDecision = await findCall(request.params.token);
    const { applicationId, parties, call } = callForDecision;
    if (decision === undefined || call.status !== 'pending') return send(request, reply, callForDecision);
    const words = cutText(reason.trim(), MOST_REASON);
    const decided: CallApproval = await callApprovals
      .decide(applicationId, call.id, { decision, reason: words === '' ? undefined : words })
      .catch(async (error: unknown) => {
        // A concurrent request decided first, so the page shows that decision.
        if (error instanceof ServiceError && error.code === 'conflict')
          return (await callApprovals.findByLink(request.params.token)).approval;
        throw error;
      });
    return send(request, reply, { call: decided, parties });
  });
}
