import { cutText } from '@svc/catalog';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallApprovals } from '../../approvals/call-approvals.js';
import type { AccountParties } from '../../authorization/account-parties.js';
import { ServiceError } from '../../errors.js';
import { approvePage, type CallForDecision, MAX_REASON_CHARACTERS } from './approve-pages.js';
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

/** Route of the page on which a person approves or denies a tool call. */
export const APPROVAL = '/approve/:token';

const hidden = { hide: true };
const DECISIONS: ReadonlyMap<string, 'approve' | 'deny'> = new Map([
  ['allow', 'approve'],
  ['deny', 'deny'],
]);

/**
 * Adds the page on which a person with a signed link approves or denies one tool call. Only the form of the page (POST)
 * decides, never opening the page (GET).
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

  app.get<ApproveRoute>(APPROVAL, { schema: hidden }, async (request, reply) => {
    const call = await findCall(request.params.token);
    return sendPage(reply, approvePage(languageOf(request), call), { parties: call.parties });
  });

  // The response to an accepted form is a redirect, because a browser shows an error page of its own when a user goes
  // back to the response of a form.
  app.post<ApproveRoute>(APPROVAL, { schema: hidden }, async (request, reply) => {
    checkSameOrigin(request, { environmentUrl, reason: 'other_site_decided' });
    const { decision: pressed = '', reason = '' } = request.body ?? {};
    const decision = DECISIONS.get(pressed);
    const { token } = request.params;
    const { applicationId, call } = await findCall(token);
    if (decision !== undefined && call.status === 'pending') {
      const words = cutText(reason.trim(), MAX_REASON_CHARACTERS);
      const decided = { decision, reason: words === '' ? undefined : words };
      await callApprovals.decide(applicationId, call.id, decided).catch((error: unknown) => {
        // A concurrent request decided first. The page shows that decision.
        if (!(error instanceof ServiceError && error.code === 'conflict')) throw error;
      });
    }
    return reply.redirect(`${environmentUrl}/approve/${encodeURIComponent(token)}`, 303);
  });
}
