import { type AuditStep, type AuditWorld, byApplication } from './audit-step.js';

const WATCH = /^watch_/;
const ALL = '/v1/watches';

const one = ({ made }: AuditWorld) => `${ALL}/${made['watch']}`;

/** Steps of watches. */
export const WATCH_AUDIT_STEPS: readonly AuditStep[] = [
  byApplication('watch.created', WATCH, async ({ application, made }) => {
    const body = {
      connectionName: 'workspace',
      identifier: 'ada',
      toolName: 'workspace_pages_search',
      toolInput: {},
      every: 3600,
    };
    const reply = await application.call('POST', ALL, { body });
    if (reply.status === 201) made['watch'] = reply.json<{ id: string }>().id;
    return reply;
  }),
  byApplication('watch.changed', WATCH, (world) =>
    world.application.call('PATCH', one(world), { body: { enabled: false } }),
  ),
  byApplication('watch.deleted', WATCH, (world) => world.application.call('DELETE', one(world))),
];
