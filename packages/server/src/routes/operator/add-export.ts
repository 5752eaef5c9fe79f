import type { FastifyInstance } from 'fastify';
import { closed, type Schema } from '../../listener/list-schema.js';
import type { Page, PageRequest } from '../../page.js';
import { exportResponse, readPages, sendExport } from './export-text.js';

/** Row of an export by column. */
export type Cells = Readonly<Record<string, unknown>>;

interface ExportedList<Item> {
  /** Path of the list, such as `/approvals`. */
  readonly path: string;
  readonly tag: string;
  /** End of the operation id, such as `Approvals`. */
  readonly operation: string;
  /** Name of the items in texts, such as `approvals`. */
  readonly things: string;
  readonly filters: Readonly<Record<string, Schema>>;
  readonly read: (applicationId: string, query: PageRequest) => Promise<Page<Item>>;
  /** Columns of the CSV file, in the order of the file. */
  readonly columns: readonly string[];
  readonly toCells: (item: Item) => Cells;
}

async function* toRows<Item>(
  items: AsyncIterable<Item>,
  toCells: (item: Item) => Cells,
): AsyncIterable<Cells> {
  for await (const item of items) yield toCells(item);
}

/** Adds the operation that exports a list as CSV. A hook of `app` must authenticate operators. */
export function addExport<Item>(app: FastifyInstance, list: ExportedList<Item>): void {
  const { path, tag, operation, things, filters, read, columns, toCells } = list;
  const schema = {
    operationId: `export${operation}`,
    tags: [tag],
    summary: `Download ${things} as CSV`,
    description:
      'The downloaded CSV file has at most 100,000 rows. An apostrophe precedes values that a spreadsheet would run as formulas.',
    querystring: closed(filters, []),
    response: exportResponse(['csv'], 'id,createdAt\r\n'),
  };
  app.get<{ Querystring: PageRequest }>(
    `${path}/export`,
    { schema },
    async ({ applicationId, query }, reply) => {
      const items = readPages((page) => read(applicationId, { ...query, ...page }));
      return sendExport(reply, toRows(items, toCells), { name: path.slice(1), columns, format: 'csv' });
    },
  );
}
