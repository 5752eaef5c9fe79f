import { type Calendar, calendar } from '@svc/calendar';
import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { titled } from '../support/tools/rich-text.js';

const ID = '59833787-2cf9-4fdf-8782-e53db20768a5';

let service: Service;
let pages: Workspace;
let events: Calendar;

beforeAll(async () => {
  service = await startService();
  pages = workspace(service.svc, await connectAccount(service, 'workspace'));
  events = calendar(service.svc, await connectAccount(service, 'calendar'));
});

afterAll(() => service.stop());

const library = async () => {
  const { data: projects } = await pages.pagesSearch({ query: 'Projects' });
  const { data: children } = await pages.blockChildrenList({ block_id: `${projects.results?.[0]?.id}` });
  return `${children.results?.find(({ text }) => text === 'Library')?.id}`;
};

test.each(['Invalid request URL', 'Invalid request URL.'])(
  'the advice for "%s" on a database names the data source tools',
  async (message) => {
    const body = { object: 'error', status: 400, code: 'invalid_request_url', message, request_id: ID };
    await service.sandbox.dials('workspace', { failNext: { count: 1, status: 400, body } });

    const error = await rejection(pages.databaseQuery({ database_id: ID }));

    expect(error).toMatchObject({
      status: 400,
      body,
      advice: expect.stringMatching(/workspace_data_source_fetch.*workspace_data_source_query/),
    });
  },
);

test.each([
  {
    title: 'a query',
    call: (id: string) => pages.databaseQuery({ database_id: id }),
  },
  {
    title: 'a fetch',
    call: (id: string) => pages.databaseFetch({ database_id: id }),
  },
  {
    title: 'a new row',
    call: (id: string) => pages.databaseInsertRow({ database_id: id, properties: titled('Alien') }),
  },
])('the error for a database with several data sources contains their ids: $title', async ({ call }) => {
  const id = await library();

  const error = await rejection(call(id));
  const { data: database } = await pages.dataSourceFetch({ database_id: id });
  const sources = database.data_sources?.map((source) => source.id) ?? [];
  const rows = await pages.dataSourceQuery({ data_source_id: `${sources[1]}` });

  expect(sources).toHaveLength(2);
  expect(error).toMatchObject({
    status: 400,
    body: { additional_data: { database_id: id, child_data_source_ids: sources } },
    advice: expect.stringMatching(/child_data_source_ids.*workspace_data_source_query/),
  });
  expect(rows.data.results).toHaveLength(2);
});

test.each([
  {
    title: 'a page that does not exist or is not shared',
    call: () => pages.pageFetch({ page_id: ID }),
    expected: { status: 404, body: { code: 'object_not_found' }, advice: /not shared.*Correct the id/ },
  },
  {
    title: 'an event that does not exist',
    call: () => events.getEventById({ event_id: 'nothing' }),
    expected: {
      status: 404,
      body: { error: { errors: [{ reason: 'notFound' }] } },
      advice: /valid ids with .*calendar_list_events/,
    },
  },
  {
    title: 'an event of another organizer',
    call: () => events.updateEvent({ calendar_id: 'primary', event_id: 'seedplanning', summary: 'Mine now' }),
    expected: {
      status: 403,
      body: { error: { errors: [{ reason: 'forbiddenForNonOrganizer' }] } },
      advice: /Only the organizer/,
    },
  },
])('the error explains the next step for $title', async ({ call, expected }) => {
  const error = await rejection(call());

  expect(error).toMatchObject({ ...expected, advice: expect.stringMatching(expected.advice) });
  expect(error).toHaveProperty('message', expect.stringMatching(expected.advice));
});
