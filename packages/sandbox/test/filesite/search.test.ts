import { describe, expect, test } from 'vitest';
import { connect } from '../authorized.js';
import { ada, DRIVE, get, reason, sandbox, useFilesite } from './setup.js';

useFilesite();

const request = (queryString: unknown, rest: object = {}) => ({
  requests: [{ entityTypes: ['driveItem'], query: { queryString }, ...rest }],
});
const search = (body: object) => ada.call('POST', '/v1.0/search/query', { body });

describe('the file search', () => {
  test('finds words in names and contents of every indexed library, page by page', async () => {
    const first = await search(request('engineering,3400 filetype:csv', { size: 3 }));
    const [{ hitsContainers }] = first.body.value;
    expect(hitsContainers).toMatchObject([{ total: 4, moreResultsAvailable: true, hits: [{}, {}, {}] }]);
    expect(JSON.stringify(first.body)).not.toContain('tempauth');
    const last = await search(request('engineering,3400 filetype:csv', { from: 3 }));
    expect(last.body.value[0].hitsContainers).toMatchObject([
      { moreResultsAvailable: false, hits: [{ rank: 4 }] },
    ]);
    const none = await search(request('xylophone'));
    expect(none.body.value[0].hitsContainers).toEqual([{ total: 0, moreResultsAvailable: false }]);
  });

  test.each([
    { title: 'no request', body: {} },
    { title: 'an empty query', body: request(' ') },
    { title: 'an unknown property', body: request('a', { top: 1 }) },
    { title: 'another entity type', body: request('a', { entityTypes: ['message'] }) },
    { title: 'a page size above the maximum', body: request('a', { size: 1001 }) },
  ])('is refused with $title', async ({ body }) => {
    expect(reason(await search(body))).toEqual([400, 'invalidRequest']);
  });

  test('needs a scope for all files', async () => {
    const narrow = await connect(sandbox, 'filesite', { params: { scope: 'Files.ReadWrite' } });
    expect((await narrow.call('POST', '/v1.0/search/query', { body: request('a') })).status).toBe(403);
  });
});

test.each([{ type: 'owner' }, { scope: 'everyone' }, { until: 'tomorrow' }])(
  'refuses to create a link with %j',
  async (body) => {
    const { id } = (await get(`${DRIVE}/root:/welcome.txt`)).body;
    expect(reason(await ada.call('POST', `${DRIVE}/items/${id}/createLink`, { body }))).toEqual([
      400,
      'invalidRequest',
    ]);
  },
);
