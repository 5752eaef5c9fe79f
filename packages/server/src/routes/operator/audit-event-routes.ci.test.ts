import { describe, expect, test } from 'vitest';
import { EVENT } from '../../../test/support/databases/sample-rows.js';
import { createOperator } from '../../../test/support/service/create-operator.js';
import { MAX_SEARCHED_EVENTS } from '../../storage/audit-events-table.js';
import type { AuditEventRow } from '../../storage/schema.js';

const EVENTS = '/operator/v1/audit-events';
const START = Date.parse('2026-01-01T00:00:00Z');

async function createEvents(rows: readonly Partial<AuditEventRow>[]) {
  const { storage, call } = await createOperator();
  const events = rows.map((row, index) => ({
    ...EVENT,
    id: `audit_${String(index).padStart(6, '0')}`,
    at: START + index,
    action: 'account.created',
    ...row,
  }));
  for (let first = 0; first < events.length; first += 500)
    await storage.auditEvents.insert(events.slice(first, first + 500));
  const list = async (query = '') => {
    const reply = (await call('GET', `${EVENTS}?until=2026-02-01&${query}`)).json<{
      items: readonly { id: string }[];
      nextPageToken?: string;
    }>();
    return { ids: reply.items.map(({ id }) => Number(id.slice(6))), token: reply.nextPageToken };
  };
  const download = (query: string) => call('GET', `${EVENTS}/export?until=2026-02-01&${query}`);
  return { call, list, download };
}

test('events can be filtered by application, action, actor and time', async () => {
  const { list, call } = await createEvents([
    { applicationId: 'app_1', actor: 'app_1' },
    { applicationId: 'app_2', actor: 'operator:ada' },
    { applicationId: 'app_2', actor: 'operator:ada', action: 'connection.changed' },
    { applicationId: null, actor: 'service' },
  ]);
  expect((await list()).ids).toEqual([3, 2, 1, 0]);
  expect((await list('applicationId=app_2')).ids).toEqual([2, 1]);
  expect((await list('actor=operator:ada')).ids).toEqual([2, 1]);
  expect((await list('action=account.created&actor=operator:ada')).ids).toEqual([1]);
  expect((await list(`since=${new Date(START + 2).toISOString()}`)).ids).toEqual([3, 2]);
  expect((await call('GET', `${EVENTS}?until=${new Date(START + 1).toISOString()}`)).json()).toMatchObject({
    items: [{ id: 'audit_000000' }],
  });
  expect((await call('GET', `${EVENTS}?action=account.invented`)).statusCode).toBe(400);
});

test('F5: a page and a count of rare events search 10,000 rows, and the page can be continued', async () => {
  const count = 2 * MAX_SEARCHED_EVENTS + 10;
  const { call, list } = await createEvents(
    Array.from({ length: count }, (_, index) => ([0, count - 1].includes(index) ? { actor: 'rare' } : {})),
  );
  const pages: number[][] = [];
  let token: string | undefined = '';
  while (token !== undefined) {
    const page = await list(`actor=rare&pageSize=1${token === '' ? '' : `&pageToken=${token}`}`);
    pages.push(page.ids);
    token = page.token;
  }
  expect(pages).toEqual([[count - 1], [], [0]]);
  const countOf = async (query: string) =>
    (await call('GET', `${EVENTS}/count?until=2026-02-01&${query}`)).json();
  expect(await countOf('actor=rare')).toEqual({ count: 1, more: true });
  expect(await countOf('')).toEqual({ count: 10_000, more: true });
});

describe('an export of audit events', () => {
  test('contains every matching event, oldest first, as JSON lines', async () => {
    const { download } = await createEvents(
      Array.from({ length: 1234 }, (_, index) => ({ actor: index % 2 === 0 ? 'even' : 'odd' })),
    );
    const reply = await download('format=jsonl&actor=even');
    expect(reply.headers).toMatchObject({
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.jsonl"$/),
      'cache-control': 'no-store',
    });
    const lines = reply.body.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => Number(JSON.parse(line).id.slice(6)))).toEqual(
      Array.from({ length: 617 }, (_, index) => 2 * index),
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ actor: 'even', at: '2026-01-01T00:00:00.000Z' });
  });

  test('escapes formulas and quotes in CSV', async () => {
    const texts = ['=1+1', '+1', '-1', '@sum', '\t=1', 'a "b", c', 'two\r\nlines', 'plain'];
    const { download } = await createEvents(texts.map((reason) => ({ reason })));
    const reply = await download('format=csv');
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    const row = (index: number, reason: string) =>
      `audit_00000${index},2026-01-01T00:00:00.00${index}Z,app_1,a,account.created,o,done,${reason},,\r\n`;
    const cells = ["'=1+1", "'+1", "'-1", "'@sum", "'\t=1", '"a ""b"", c"', '"two\r\nlines"', 'plain'];
    expect(reply.body).toBe(
      `id,at,applicationId,actor,action,object,result,reason,requestId,address\r\n${cells.map((cell, index) => row(index, cell)).join('')}`,
    );
  });

  test('contains only the CSV header when no event matches', async () => {
    const { download } = await createEvents([]);
    expect((await download('format=csv')).body.split('\r\n')).toHaveLength(2);
    expect((await download('format=jsonl')).body).toBe('');
  });

  test.each(['format=xml', 'actor=x', 'format=csv&since=yesterday'])('is refused with %s', async (query) => {
    const { download } = await createEvents([]);
    const reply = await download(query);
    expect([reply.statusCode, reply.headers['svc-error']]).toEqual([400, 'invalid_request']);
  });

  test('is refused with an invalid end time', async () => {
    const { call } = await createEvents([]);
    expect((await call('GET', `${EVENTS}/export?format=csv&until=tomorrow`)).statusCode).toBe(400);
  });
});
