import { expect } from 'vitest';
import { type AuditStep, type AuditWorld, byApplication } from './audit-step.js';

const WATCH = /^watch_/;
const ALL = '/v1/watches';

const one = ({ made }: AuditWorld) => `${ALL}/${made['watch']}`;

/** Waits until the first background poll has changed the state of the watch to `watching`. */
const waitUntilPolled = (world: AuditWorld) =>
  expect
    .poll(async () => (await world.application.call('GET', one(world))).json())
    .toMatchObject({ state: 'watching' });

/** Audited actions of watches. They use the account `ada` of `convintel`, which WEBHOOK_AUDIT_STEPS has connected. */
export const WATCH_AUDIT_STEPS: readonly AuditStep[] = [
  byApplication('watch.created', WATCH, async ({ application, made }) => {
    const body = {
      connectionName: 'convintel',
      identifier: 'ada',
      toolName: 'convintel_activities_list',
      // No activity has this status, so the watch stores no items. A deletion of items could not be rolled back,
      // because it precedes the transaction that deletes the watch.
      toolInput: { status: 'received' },
      every: 3600,
    };
    const reply = await application.call('POST', ALL, { body });
    if (reply.status === 201) made['watch'] = reply.json<{ id: string }>().id;
    return reply;
  }),
  {
    ...byApplication('watch.changed', WATCH, (world) =>
      world.application.call('PATCH', one(world), { body: { enabled: false } }),
    ),
    prepare: waitUntilPolled,
  },
  byApplication('watch.deleted', WATCH, (world) => world.application.call('DELETE', one(world))),
];
