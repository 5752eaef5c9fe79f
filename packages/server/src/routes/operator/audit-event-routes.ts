import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { PageRequest } from '../../page.js';
import type { AuditFilter, AuditLog } from '../../records/audit-log.js';
import { AUDIT_ACTIONS } from '../../records/commit.js';
import { closed, moment, pageOf, pageQuery } from '../list-schema.js';
import { EXPORT_FORMATS, type ExportFormat, exportText } from './audit-export.js';

const text = { type: 'string' };
const orNull = { type: ['string', 'null'] };
const tags = ['audit'];

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

const filters = {
  applicationId: { ...text, maxLength: 256 },
  action: { ...text, enum: AUDIT_ACTIONS },
  actor: {
    ...text,
    maxLength: 256,
    description: 'Id of an application, operator:<name>, command, user or service.',
  },
  since: moment,
  until: moment,
};

const listSchema = {
  tags,
  summary: 'List audit events, newest first',
  description:
    'With a filter for action or actor, each page searches 10,000 events. A page with fewer than pageSize items, even an empty one, may have a nextPageToken.',
  querystring: pageQuery(filters),
  response: { 200: pageOf(event) },
};

const exportSchema = {
  tags,
  summary: 'Download audit events, oldest first',
  description:
    'In csv, an apostrophe precedes values that a spreadsheet would run as formulas. The download contains only events from before its start, and is aborted after five minutes.',
  querystring: closed({ ...filters, format: { ...text, enum: Object.keys(EXPORT_FORMATS) } }, ['format']),
  response: {
    200: {
      description: 'Stream of the events.',
      content: Object.fromEntries(
        Object.values(EXPORT_FORMATS).map(({ type }) => [type.split(';', 1).join(), { schema: text }]),
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
