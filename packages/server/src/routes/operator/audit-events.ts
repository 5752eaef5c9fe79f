import type { FastifyInstance } from 'fastify';
import type { PageRequest } from '../../page.js';
import type { AuditFilter, AuditLog } from '../../records/audit-log.js';
import { AUDIT_ACTIONS } from '../../records/commit.js';
import { closed, pageOf, pageQuery } from '../list-schema.js';

const text = { type: 'string' };
const orNull = { type: ['string', 'null'] };

const event = closed({
  id: text,
  at: text,
  applicationId: orNull,
  actor: text,
  action: { ...text, enum: AUDIT_ACTIONS },
  object: text,
  result: text,
  reason: orNull,
  requestId: orNull,
  address: orNull,
});

const schema = {
  tags: ['audit'],
  summary: 'List what was changed, by whom and from where, newest first',
  querystring: pageQuery({ applicationId: { ...text, maxLength: 256 }, since: { ...text, maxLength: 64 } }),
  response: { 200: pageOf(event) },
};

/** The audit log, newest first. Requests must be those of an operator by a hook of `app`. */
export function addAuditEvents(app: FastifyInstance, { auditLog }: { readonly auditLog: AuditLog }): void {
  app.get<{ Querystring: AuditFilter & PageRequest }>('/audit-events', { schema }, ({ query }) =>
    auditLog.list(query),
  );
}
