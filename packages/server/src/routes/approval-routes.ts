import type { FastifyInstance, FastifySchema } from 'fastify';
import type { CallApproval } from '../approvals/call-approval.js';
import type { CallApprovalFilter, CallApprovals, Decision } from '../approvals/call-approvals.js';
import { belongingTo, closed, named, pageOf, pageQuery, timeOrder } from '../listener/list-schema.js';
import { CALL_APPROVAL_STATUSES } from '../names/approval-statuses.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time' };
const status = { ...text, enum: CALL_APPROVAL_STATUSES };

const MAX_REASON_CHARACTERS = 1000;
const reason = { ...text, minLength: 1, maxLength: MAX_REASON_CHARACTERS };

const REQUIRED = {
  id: text,
  status: {
    ...status,
    description:
      'expired: nobody decided in time, or the approved call was not repeated in time. interrupted: the call began, and its outcome is unknown.',
  },
  sentence: { ...text, description: 'What the call does, in one sentence for people.' },
  toolName: text,
  toolInput: {
    description:
      'Frozen input: the call runs with exactly this input. Fields whose names indicate a secret are hidden.',
    type: 'object',
    additionalProperties: true,
  },
  accountId: text,
  connectionName: text,
  identifier: { ...text, description: 'User for whom the call runs.' },
  requestedBy: {
    ...text,
    description: 'Requester: the id of an application, token:<id> or operator:<name>.',
  },
  createdAt: time,
  expiresAt: { ...time, description: 'Time until which the approval keeps its `status`.' },
};

const EXAMPLE = {
  id: 'appr_0193f2a8c4d17b3e9a5c6d7e8f901234',
  sentence: 'Deletes the contact "Ada Lovelace" from the CRM.',
  toolName: 'crm_delete_contact',
  toolInput: { contact_id: 'contact_1' },
  requestedBy: 'app_0193f2a8c4d17b3e9a5c6d7e8f901234',
};

const approvalSchema = named(
  'Approval',
  closed(
    {
      ...REQUIRED,
      object: {
        ...closed(
          {
            input: { ...text, description: 'Field of `toolInput` with the id of the object.' },
            title: { ...text, description: 'Title of the object when the approval was requested.' },
            date: { ...text, description: 'Date or time of the object, such as the start of an event.' },
          },
          ['input', 'title'],
        ),
        description:
          'Existing object that the call changes. Absent if the tool names no object, or if the service could not read it.',
        examples: [{ input: 'event_id', title: 'Design review', date: '2026-12-01T09:00:00Z' }],
      },
      account: {
        ...text,
        examples: ['work'],
        description: 'Label of the account, if the user has several accounts on the connection.',
      },
      decidedBy: {
        ...text,
        description: 'Who approved or denied the call; `user` means the person with the link.',
      },
      decidedAt: time,
      reason: { ...text, description: 'Reason that the person gave for the decision.' },
      executionId: { ...text, description: 'Id of the execution of the approved call.' },
      link: {
        ...text,
        description:
          'Link for the person who decides. Anyone with the link can decide once, so never give it to the requester.',
      },
    },
    Object.keys(REQUIRED),
  ),
  EXAMPLE,
);

const params = closed({ approvalId: { ...text, maxLength: 128, description: 'Id of the approval.' } });
/** Filters of the list of approvals, as query parameters. */
export const approvalFilters = {
  status: { ...status, description: 'Lists only approvals with this status.' },
  identifier: belongingTo('approvals of calls').identifier,
};

const about = (summary: string, schema: FastifySchema) => ({ tags: ['approvals'], summary, ...schema });

const DECIDE: FastifySchema = {
  operationId: 'decideApproval',
  description:
    'An approved call runs once, when the caller repeats the call within 30 minutes. A denied call does not run, and its caller gets the reason. Sending the same decision again has no effect; a different decision gets status 409.',
  errors: ['not_found', 'forbidden', 'conflict'],
  params,
  body: named(
    'Decision',
    closed(
      {
        decision: { ...text, enum: ['approve', 'deny'] },
        reason: { ...reason, description: 'Reason for the decision, which the requester gets.' },
      },
      ['decision'],
    ),
    { decision: 'approve' },
  ),
  response: { 200: approvalSchema },
};

interface One {
  readonly Params: { readonly approvalId: string };
}

/** Adds routes to list and decide approvals of tool calls. A hook of `app` must authenticate requests. */
export function addApprovalRoutes(
  app: FastifyInstance,
  {
    callApprovals,
    linkOf,
  }: {
    readonly callApprovals: CallApprovals;
    /**
     * Builds the link to the page on which a person decides a pending approval. Without this function, responses
     * contain no link.
     */
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
      schema: about('List the approvals', {
        operationId: 'listApprovals',
        description: 'Lists the tool calls that need or needed approval by a person, newest first.',
        querystring: pageQuery({ ...approvalFilters, order: timeOrder('approvals') }),
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
    {
      schema: about('Get an approval', {
        operationId: 'getApproval',
        description:
          'While the status is `pending`, the response contains the link for the person who decides.',
        errors: ['not_found'],
        params,
        response: { 200: approvalSchema },
      }),
    },
    async ({ applicationId, params: { approvalId } }) =>
      withLink(await callApprovals.get(applicationId, approvalId)),
  );

  app.post<One & { Body: Decision }>(
    '/approvals/:approvalId',
    { schema: about('Approve or deny a tool call', DECIDE) },
    async ({ applicationId, params: { approvalId }, body }) =>
      withLink(await callApprovals.decide(applicationId, approvalId, body)),
  );
}
