import type { FastifyInstance } from 'fastify';
import type { CallApproval } from '../approvals/call-approval.js';
import type { CallApprovalFilter, CallApprovals, Decision } from '../approvals/call-approvals.js';
import { CALL_APPROVAL_STATUSES } from '../names/approval-statuses.js';
import { closed, pageOf, pageQuery } from './list-schema.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time' };
const status = { ...text, enum: CALL_APPROVAL_STATUSES };

const MOST_REASON = 1000;
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

const approvalSchema = closed(
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
  response: { 200: approvalSchema },
};

interface One {
  readonly Params: { readonly approvalId: string };
}

/** Adds the approvals of tool calls. A hook of `app` must authenticate requests. */
export function addApprovalRoutes(
  app: FastifyInstance,
  {
    callApprovals,
    linkOf,
  }: {
    readonly callApprovals: CallApprovals;
    /** Makes the link of a pending approval. If absent, replies have no link. */
    readonly linkOf?: ((id: string) => string) | undefined;
  },
): void {
  const withLink = (approval: CallApproval) =>
    linkOf !== undefined && approval.status === 'pending'
      ? { ...approval, link: linkOf(approval.id) }
      : approval;

  app.get<{ Querystring: CallApprovalFilter }>(
    '/approvals',
    {
      schema: about('List the calls that a person is asked about, newest first', {
        querystring: pageQuery({ status }),
        response: { 200: pageOf(approvalSchema) },
      }),
    },
    async ({ applicationId, query }) => {
      const { items, ...next } = await callApprovals.list(applicationId, query);
      return { items: items.map(withLink), ...next };
    },
  );

  app.get<One>(
    '/approvals/:approvalId',
    { schema: about('Get one of them', { params, response: { 200: approvalSchema } }) },
    async ({ applicationId, params: { approvalId } }) =>
      withLink(await callApprovals.get(applicationId, approvalId)),
  );

  app.post<One & { Body: Decision }>(
    '/approvals/:approvalId',
    { schema: about('Decide', DECIDE) },
    async ({ applicationId, params: { approvalId }, body }) =>
      withLink(await callApprovals.decide(applicationId, approvalId, body)),
  );
}
