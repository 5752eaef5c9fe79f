import { type Calendar, calendar } from '@svc/calendar';
import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect } from '../support/collect.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { recordTools, type ToolRecord } from '../support/tools/record-tools.js';
import { richText } from '../support/tools/rich-text.js';

let service: Service;
let records: { readonly workspace: ToolRecord; readonly calendar: ToolRecord };
let pages: Workspace;
let events: Calendar;
let page: string;
let database: string;
let dataSource: string;

beforeAll(async () => {
  service = await startService();
  records = { workspace: recordTools(service, 'workspace'), calendar: recordTools(service, 'calendar') };
  pages = workspace(records.workspace, await connectAccount(service, 'workspace'));
  events = calendar(records.calendar, await connectAccount(service, 'calendar'));
  await prepareWorkspace();
  await events.createEvent({
    summary: 'Daily',
    start_datetime: '2026-12-07T08:00:00',
    timezone: 'Europe/Berlin',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
  });
});

afterAll(() => service.stop());

async function prepareWorkspace(): Promise<void> {
  const { data: search } = await pages.pagesSearch({ query: 'Welcome' });
  page = `${search.results?.[0]?.id}`;
  for (const remark of ['One', 'Two']) {
    await pages.commentCreate({ parent: { page_id: page }, comment: { rich_text: richText(remark) } });
  }
  const { data: databases } = await pages.contentSearch({ query: 'Tasks' });
  database = `${databases.results?.[0]?.id}`;
  const { data: sources } = await pages.dataSourceFetch({ database_id: database });
  dataSource = `${sources.data_sources?.[0]?.id}`;
}

const daily = { query: 'Daily', single_events: true, order_by: 'startTime' } as const;
const standUp = { event_id: 'seedstandup', time_max: '2027-01-01T00:00:00Z' };

// Each case reads a list twice: `whole` in one call, and `paged` in pages of two items.
test.each([
  {
    title: 'blocks of a page',
    whole: async () => (await pages.blockChildrenList({ block_id: page })).data.results,
    paged: () => pages.blockChildrenList.each({ block_id: page, page_size: 2 }),
  },
  {
    title: 'comments of a page',
    whole: async () => (await pages.commentsList({ block_id: page })).data.results,
    paged: () => pages.commentsList.each({ block_id: page, page_size: 2 }),
  },
  {
    title: 'pages and databases of a search',
    whole: async () => (await pages.contentSearch()).data.results,
    paged: () => pages.contentSearch.each({ page_size: 2 }),
  },
  {
    title: 'pages of a search',
    whole: async () => (await pages.pagesSearch({ sort_direction: 'ascending' })).data.results,
    paged: () => pages.pagesSearch.each({ sort_direction: 'ascending', page_size: 2 }),
  },
  {
    title: 'rows of a database',
    whole: async () => (await pages.databaseQuery({ database_id: database })).data.results,
    paged: () => pages.databaseQuery.each({ database_id: database, page_size: 2 }),
  },
  {
    title: 'rows of a data source',
    whole: async () => (await pages.dataSourceQuery({ data_source_id: dataSource })).data.results,
    paged: () => pages.dataSourceQuery.each({ data_source_id: dataSource, page_size: 2 }),
  },
  {
    title: 'users',
    whole: async () => (await pages.usersList()).data.results,
    paged: () => pages.usersList.each({ page_size: 2 }),
  },
  {
    title: 'calendars',
    whole: async () => (await events.listCalendars()).data.items,
    paged: () => events.listCalendars.each({ max_results: 2 }),
  },
  {
    title: 'occurrences of a series',
    whole: async () => (await events.listEvents(daily)).data.items,
    paged: () => events.listEvents.each({ ...daily, max_results: 2 }),
  },
  {
    title: 'instances of one series',
    whole: async () => (await events.listInstances(standUp)).data.items,
    paged: () => events.listInstances.each({ ...standUp, max_results: 2 }),
  },
])('the paged list of $title equals the whole list', async ({ whole, paged }) => {
  const expected: readonly unknown[] = (await whole()) ?? [];

  expect(expected.length).toBeGreaterThan(2);
  expect(await collect<unknown>(paged())).toEqual(expected);
});

test.each(['workspace', 'calendar'] as const)(
  'the tests above read a second page with every paged tool of %s',
  (connector) => {
    const { continued, paged, surprises } = records[connector];

    expect(paged).not.toEqual([]);
    expect(continued()).toEqual(paged);
    expect(surprises).toEqual([]);
  },
);
