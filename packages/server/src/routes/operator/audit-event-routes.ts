import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { closed, moment, named, pageOf, pageQuery } from '../../listener/list-schema.js';
import type { PageRequest } from '../../page.js';
import type { AuditFilter, AuditLog } from '../../records/audit-log.js';
import { AUDIT_ACTIONS } from '../../records/commit.js';
import { EXPORT_FORMATS, type ExportFormat, exportText } from './audit-export.js';

const text = { type: 'string' };
const orNull = { type: ['string', 'null'] };
const tags = ['audit'];

const event = named(
  'AuditEvent',
  closed({
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
  }),
);

const filters = {
  applicationId: { ...text, maxLength: 256, description: 'Id of the application.' },
  action: { ...text, enum: AUDIT_ACTIONS, description: 'What happened.' },
  actor: {
    ...text,
    maxLength: 256,
    examples: ['operator:ada'],
    description: 'Id of an application, operator:<name>, command, user or service.',
  },
  since: moment,
  until: moment,
};

const listSchema = {
  operationId: 'listAuditEvents',
  tags,
  summary: 'List audit events',
  description:
    'Newest first. With a filter for action or actor, each page searches 10,000 events. A page with fewer than pageSize items, even an empty one, may have a nextPageToken.',
  querystring: pageQuery(filters),
  response: { 200: pageOf(event) },
};

const exportSchema = {
  operationId: 'exportAuditEvents',
  tags,
  summary: 'Download audit events',
  description:
    'Oldest first. In csv, an apostrophe precedes values that a spreadsheet would run as formulas. The download contains only events from before its start, and is aborted after five minutes.',
  querystring: closed(
    {
      ...filters,
      format: { ...text, enum: Object.keys(EXPORT_FORMATS), description: 'Format of the file.' },
    },
    ['format'],
  ),
  response: {
    200: {
      description: 'Stream of the events.',
      content: Object.fromEntries(
        Object.values(EXPORT_FORMATS).map(({ type }) => [
          type.split(';', 1).join(),
          { schema: text, example: 'id,at\r\n' },
        ]),
      ),
    },
  },
};

const EXPORT_LIMIT_MS = 5 * 60_000;

const earlier = (until: string | undefined, now: string): string =>
  until === undefined || Date.parse(until) > Date.parse(now) ? now : until;

/** Adds routes that list and export the audit log. A hook of `app` must authenticate operators. */
export function addAuditEventRoutes(
  app: FastifyInstance,
  { auditLog }: { readonly auditLog: AuditLog },
): void {
  app.get<{ Querystring: AuditFilter & PageRequest }>('/audit-events', { schema: listSchema }, ({ query }) =>
    auditLog.list(query),
  );
  app.get<{ Querystring: AuditFilter & { readonly format: ExportFormat } }>(
    '/audit-events/export',
    { schema: exportSchema },
    async ({ query: { format, ...filter } }, reply) => {
      const now = new Date().toISOString();
      const lateAt = performance.now() + EXPORT_LIMIT_MS;
      const events = auditLog.read({ ...filter, until: earlier(filter.until, now) });
      const isLate = () => performance.now() > lateAt;
      return reply
        .type(EXPORT_FORMATS[format].type)
        .header('content-disposition', `attachment; filename="audit-${now.slice(0, 10)}.${format}"`)
        .send(Readable.from(exportText(events, format, isLate), { objectMode: false }));
    },
  );
}
