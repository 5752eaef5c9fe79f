import type { FastifyInstance } from 'fastify';
import { closed, moment, named, pageOf, pageQuery, timeOrder } from '../../listener/list-schema.js';
import { AUDIT_ACTIONS } from '../../names/audit-actions.js';
import type { AuditFilter, AuditListFilter, AuditLog, RecordedEvent } from '../../records/audit-log.js';
import { countSchema } from './count-schema.js';
import { EXPORT_TYPES, type ExportFormat, exportResponse, sendExport } from './export-text.js';

const text = { type: 'string' };
const orNull = { type: ['string', 'null'] };
const tags = ['audit'];

/** Columns of the CSV export, in the order of the file. */
const COLUMNS = [
  'id',
  'at',
  'applicationId',
  'actor',
  'action',
  'object',
  'result',
  'reason',
  'requestId',
  'address',
] as const satisfies readonly (keyof RecordedEvent)[];

const fields = {
  id: { ...text, examples: ['evt_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
  at: text,
  applicationId: orNull,
  actor: { ...text, examples: ['operator:ada'] },
  action: { ...text, enum: AUDIT_ACTIONS },
  object: { ...text, examples: ['conn_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
  result: { ...text, examples: ['success'] },
  reason: orNull,
  requestId: orNull,
  address: { ...orNull, examples: ['192.0.2.1'] },
};

const event = named(
  'AuditEvent',
  closed(
    {
      ...fields,
      identifier: {
        ...text,
        examples: ['ada'],
        description:
          'Identifier of the user to whom the changed object belongs; absent after the deletion of the object.',
      },
    },
    Object.keys(fields),
  ),
);

const filters = {
  applicationId: {
    ...text,
    maxLength: 256,
    description: 'Lists only events of the application with this id.',
  },
  action: { ...text, enum: AUDIT_ACTIONS, description: 'Lists only events with this action.' },
  actor: {
    ...text,
    maxLength: 256,
    examples: ['operator:ada'],
    description:
      'Lists only events of this actor: the id of an application, operator:<name>, command, user or service.',
  },
  result: { ...text, enum: ['done', 'refused'], description: 'Lists only events with this outcome.' },
  object: {
    ...text,
    maxLength: 256,
    examples: ['acct_0193f2a8c4d17b3e9a5c6d7e'],
    description: 'Lists only events that changed the object with this id.',
  },
  identifier: {
    ...text,
    maxLength: 256,
    examples: ['ada'],
    description:
      'Lists only events that changed accounts of this user, or one of the 20 newest grants, tokens and approvals of this user. Send `applicationId` too.',
  },
  requestId: {
    ...text,
    maxLength: 64,
    examples: ['req_0193f2a8c4d17b3e9a5c6d7e'],
    description: 'Lists only events that the request with this id caused.',
  },
  since: moment,
  until: moment,
};

const listSchema = {
  operationId: 'listAuditEvents',
  tags,
  summary: 'List audit events',
  description:
    'Lists the events of the audit log, newest first by default. With a filter for action or actor, each page searches 10,000 events. A page with fewer than `pageSize` items, even an empty one, may have a `nextPageToken`.',
  querystring: pageQuery({ ...filters, order: timeOrder('events') }),
  response: { 200: pageOf(event) },
};

const exportSchema = {
  operationId: 'exportAuditEvents',
  tags,
  summary: 'Download audit events',
  description:
    'Downloads the matching events, oldest first. In the format csv, an apostrophe precedes values that a spreadsheet would run as formulas. The file contains only events from before the start of the download, which is aborted after five minutes.',
  querystring: closed(
    {
      ...filters,
      format: { ...text, enum: Object.keys(EXPORT_TYPES), description: 'Format of the downloaded file.' },
    },
    ['format'],
  ),
  response: exportResponse(['csv', 'jsonl'], 'id,at\r\n'),
};

const earlier = (until: string | undefined, now: string): string =>
  until === undefined || Date.parse(until) > Date.parse(now) ? now : until;

/** Adds routes that list and export the audit log. A hook of `app` must authenticate operators. */
export function addAuditEventRoutes(
  app: FastifyInstance,
  { auditLog }: { readonly auditLog: AuditLog },
): void {
  app.get<{ Querystring: AuditListFilter }>('/audit-events', { schema: listSchema }, ({ query }) =>
    auditLog.list(query),
  );
  app.get<{ Querystring: AuditFilter }>(
    '/audit-events/count',
    { schema: countSchema({ operation: 'AuditEvents', tag: 'audit', things: 'audit events', filters }) },
    ({ query }) => auditLog.count(query),
  );
  app.get<{ Querystring: AuditFilter & { readonly format: ExportFormat } }>(
    '/audit-events/export',
    { schema: exportSchema },
    async ({ query: { format, ...filter } }, reply) => {
      const until = earlier(filter.until, new Date().toISOString());
      const events = auditLog.read({ ...filter, until });
      return sendExport(reply, events, { name: 'audit', columns: COLUMNS, format });
    },
  );
}
