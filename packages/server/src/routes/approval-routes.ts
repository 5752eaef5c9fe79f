import type { FastifyPluginAsync } from 'fastify';
import type { CallApproval } from '../approvals/call-approval.js';
import type { CallApprovalFilter, CallApprovals, Decision } from '../approvals/call-approvals.js';
import { CALL_APPROVAL_STATUSES } from '../names/approval-statuses.js';
import { closed, pageOf, pageQuery } from './list-schema.js';

export interface ApprovalParts {
  readonly callApprovals: CallApprovals;
  /** A link that decides, for those alone who may; absent: nobody is shown one. */
  readonly linkOf?: ((id: string) => string) | undefined;
}

const text = { type: 'string' };
const time = { ...text, format: 'date-time' };
const status = { ...text, enum: CALL_APPROVAL_STATUSES };

export const MOST_REASON = 1000;
const reason = { ...text, minLength: 1, maxLength: MOST_REASON };

const REQUIRED = {
  id: text,
  status: {
    ...status,
    description:
      'expired: nobody decided, or nobody called, in time. interrupted: it began, and nobody knows how it ended.',
  },
  sentence: { ...text, description: 'What will happen, for people.' },
  toolName: text,
  toolInput: {
    description:
      'Frozen: this runs and nothing else. Fields whose names say that they hold a secret are hidden.',
    type: 'object',
    additionalProperties: true,
  },
  accountId: text,
  connectionName: text,
  identifier: { ...text, description: 'For whom it would run.' },
  requestedBy: { ...text, description: 'Who asks: an application, token:<id> or operator:<name>.' },
  createdAt: time,
  expiresAt: { ...time, description: 'How long it waits, may run, or its outcome holds for the same call.' },
};

const approval = closed(
  {
    ...REQUIRED,
    decidedBy: { ...text, description: 'user: whoever had the link.' },
    decidedAt: time,
    reason: { ...text, description: 'In the words of whoever decided.' },
    executionId: { ...text, description: 'Of the one run.' },
    link: {
      ...text,
      description:
        'For the one person who is to decide: whoever has it can, once. Never give it to who asks.',
    },
  },
  Object.keys(REQUIRED),
);

const params = closed({ approvalId: { ...text, maxLength: 128 } });
const about = (summary: string, schema: object) => ({ tags: ['approvals'], summary, ...schema });

const DECIDE = {
  description:
    'An approved call runs when it is made again, once, within 30 minutes; a refused one does not, and its caller gets the reason. The same decision twice is one; another one is answered with 409.',
  params,
  body: closed(
    {
      decision: { ...text, enum: ['approve', 'deny'] },
      reason: { ...reason, description: 'For whoever asked.' },
    },
    ['decision'],
  ),
  response: { 200: approval },
};

interface One {
  readonly Params: { readonly approvalId: string };
}

/** Calls that wait for a person. Requests must be authenticated by a hook of `app`. */
export const approvalRoutes =
  ({ callApprovals, linkOf }: ApprovalParts): FastifyPluginAsync =>
  async (app) => {
    const show = (shown: CallApproval) =>
      linkOf !== undefined && shown.status === 'pending' ? { ...shown, link: linkOf(shown.id) } : shown;

    app.get<{ Querystring: CallApprovalFilter }>(
      '/approvals',
      {
        schema: about('List the calls that a person is asked about, newest first', {
          querystring: pageQuery({ status }),
          response: { 200: pageOf(approval) },
        }),
      },
      async ({ applicationId, query }) => {
        const { items, ...next } = await callApprovals.list(applicationId, query);
        return { items: items.map(show), ...next };
      },
    );

    app.get<One>(
      '/approvals/:approvalId',
      { schema: about('Get one of them', { params, response: { 200: approval } }) },
      async ({ applicationId, params: { approvalId } }) =>
        show(await callApprovals.get(applicationId, approvalId)),
    );

    app.post<One & { Body: Decision }>(
      '/approvals/:approvalId',
      { schema: about('Decide', DECIDE) },
      async ({ applicationId, params: { approvalId }, body }) =>
        show(await callApprovals.decide(applicationId, approvalId, body)),
    );
  };
