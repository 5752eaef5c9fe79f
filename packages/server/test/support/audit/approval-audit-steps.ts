import { vi } from 'vitest';
import type { AuditAction } from '../../../src/names/audit-actions.js';
import { type AuditStep, type AuditWorld, byApplication, byService, ownId } from './audit-step.js';

const MINUTE_MS = 60_000;
const APPROVAL = /^appr_/;

/** Number of tool calls so far. Each call names another activity, so that it needs a new approval. */
let calls = 0;

async function setUp({ application, made }: AuditWorld): Promise<void> {
  const policy = { default: 'never', tools: { convintel_summary_get: 'always' } };
  await application.call('POST', '/v1/connections', {
    body: { connectionName: 'asking', connector: 'convintel', baseUrl: 'https://10.0.0.4', approve: policy },
  });
  await application.call('PUT', '/v1/connections/asking/accounts/ada', {
    body: { bearerToken: 'sandbox-token' },
  });
  made['asking'] = 'asking';
}

const activity = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

const execute = ({ application }: AuditWorld, at: number) =>
  application.call('POST', '/v1/tools/convintel_summary_get/execute', {
    body: { connectionName: 'asking', identifier: 'ada', toolInput: { activityId: activity(at) } },
  });

async function request(world: AuditWorld): Promise<void> {
  if (world.made['asking'] === undefined) await setUp(world);
  calls += 1;
  const reply = await execute(world, calls);
  world.made['approval'] = reply.json<{ error: { details: { id: string } } }>().error.details.id;
}

const decide = ({ application, made }: AuditWorld, decision: 'approve' | 'deny') =>
  application.call('POST', `/v1/approvals/${made['approval']}`, { body: { decision } });

/** Runs `work` with the clock set back 16 minutes, so that an approval which `work` requests has expired afterwards. */
async function longAgo(work: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 16 * MINUTE_MS });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

const overdue = (action: AuditAction, prepare: (world: AuditWorld) => Promise<unknown>): AuditStep => ({
  ...byService(action, APPROVAL, ({ approvals }) => approvals.expireOverdue()),
  prepare,
  applicationId: ownId,
  result: 'refused',
});

/** Audited actions of approvals: a tool call that needs one, the decision, the execution and the expiry. */
export const APPROVAL_AUDIT_STEPS: readonly AuditStep[] = [
  {
    ...byApplication('approval.requested', APPROVAL, (world) => execute(world, 0)),
    prepare: setUp,
  },
  { ...byApplication('approval.denied', APPROVAL, (world) => decide(world, 'deny')), prepare: request },
  { ...byApplication('approval.approved', APPROVAL, (world) => decide(world, 'approve')), prepare: request },
  {
    ...byApplication('approval.executed', APPROVAL, (world) => execute(world, calls)),
    // A failed write of the event cannot undo the upstream call, so no rollback can be tested.
    changesNothing: true,
    // The call is refused because its base URL is not an allowed origin.
    result: 'refused',
  },
  overdue('approval.expired', (world) => longAgo(() => request(world))),
  overdue('approval.interrupted', async (world) => {
    await request(world);
    await decide(world, 'approve');
    const approval = { applicationId: ownId(world), id: world.made['approval'] ?? '' };
    const run = { status: 'running', executionId: 'exec_1', holdsUntil: 1 } as const;
    await world.storage.callApprovals.change(approval, { statuses: ['approved'] }, run);
  }),
];
