import { cpSync } from 'node:fs';
import path from 'node:path';
import { connector, createClient, type PagedTool, type Tool } from '@svc/core';
import { approve } from '@svc/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { type Application, signIn } from '../support/service/application.js';
import { CLIENT, type IssueService, startIssueService } from '../support/upstreams/issue-service.js';
import { writeFiles } from '../support/upstreams/parcels.js';

const KEY = 'ke y&of=records';

const text = (description: string) => ({ type: 'string', description });
const closed = (properties: object) => ({ type: 'object', additionalProperties: false, properties });

const tool = (name: string, input: object, request: object) => ({
  name: `records_${name}`,
  title: 'A record',
  description: 'Does something with a record, in one of the ways in which requests travel.',
  hints: { readOnly: false, destructive: false, idempotent: false },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: closed(input),
      output: true,
      request,
    },
  ],
  examples: [{ title: 'One', input: {} }],
});

/**
 * Builds a connector with these tools. The tests use two: one sends its key in the query, the other uses Basic
 * authentication.
 */
const records = (id: string, inject: object) => ({
  [`${id}/connector.json`]: {
    id,
    title: 'Records',
    description: 'Records, for the ways in which requests travel.',
    api: 'Record API',
    baseUrl: 'https://records.example.com',
    auth: { type: 'api_key', inject },
  },
  ...Object.fromEntries(
    [
      tool(
        'form',
        {
          name: text('Its name.'),
          tags: { type: 'array', description: 'Its tags.', items: { type: 'string' } },
        },
        {
          method: 'POST',
          path: '/forms',
          query: { api_key: 'of nobody', q: '1' },
          encoding: 'form',
          body: { name: '{name}', 'tags[]': '{tags}' },
        },
      ),
      tool(
        'file',
        { content: text('Base64.'), name: text('Its name.') },
        {
          method: 'POST',
          path: '/files',
          encoding: 'multipart',
          body: { kind: 'scan', file: { $file: '{content}', name: '{name}', type: 'image/png' } },
        },
      ),
    ].map((file) => {
      const name = file.name.replace('records', id);
      return [`${id}/tools/${name}.json`, { ...file, name }];
    }),
  ),
});

interface Issue {
  readonly number: number;
}

interface IssueTools {
  readonly list: PagedTool<object, { issues: Issue[]; nextPage: number | null }, Issue>;
  readonly create: Tool<object, Issue>;
  readonly comment: Tool<object, { id: number }>;
}

// Hand-written copy of what the generator writes for this folder. The generator's own tests compile its output.
const issuesOf = connector<IssueTools>('issues', {
  list: { reads: true, page: 'issues' },
  create: {},
  comment: {},
});

let upstream: IssueService;
let service: ServiceProcess;
let application: Application;

beforeAll(async () => {
  upstream = await startIssueService();
  const folder = newFolder();
  cpSync(path.join(import.meta.dirname, '../support/newcomer'), folder, { recursive: true });
  writeFiles(folder, {
    ...records('records', { query: 'api_key' }),
    ...records('ledgers', { basic: '{credential}:' }),
  });
  const origins = ['issues', 'records', 'ledgers'].map((id) => `${id}=${upstream.url}`).join(',');
  service = await startProcess(
    await newSettings({ flags: ['--catalog', folder, '--allowed-origins', origins] }),
  );
  application = await signIn(service);
  const connect = (id: string, own: object = {}) =>
    application.call('POST', '/v1/connections', {
      body: { connectionName: id, connector: id, baseUrl: upstream.url, ...own },
    });
  const login = `${upstream.url}/login/oauth`;
  await connect('issues', {
    ...CLIENT,
    authorizationEndpoint: `${login}/authorize`,
    tokenEndpoint: `${login}/access_token`,
  });
  for (const id of ['records', 'ledgers']) {
    await connect(id);
    await application.call('PUT', `/v1/connections/${id}/accounts/ada`, { body: { apiKey: KEY } });
  }
});

afterAll(async () => {
  await service.kill();
  upstream.stop();
});

describe('a connector written only in JSON', () => {
  test('is authorized by OAuth, and its tools list every page, create and comment', async () => {
    const account = '/v1/connections/issues/accounts/ada';
    await application.call('PUT', account);
    const { link } = (await application.call('POST', `${account}/authorization-link`)).json<{
      link: string;
    }>();
    await approve(link);
    expect((await application.call('GET', account)).json()).toMatchObject({ status: 'authorized' });

    const { url: environmentUrl, clientId, clientSecret } = service;
    const svc = createClient({ environmentUrl, clientId, clientSecret });
    const issues = issuesOf(svc, { connectionName: 'issues', identifier: 'ada' });
    const repository = { owner: 'ada', repo: 'engine' };
    const numbers: number[] = [];
    for await (const { number } of issues.list.each({ ...repository, page_size: 2, labels: ['a', 'b c'] }))
      numbers.push(number);
    const { data: created } = await issues.create({ ...repository, title: 'A cog sticks' });
    const { data: comment } = await issues.comment({ ...repository, number: created.number, body: 'Oil.' });

    expect(numbers).toEqual([1, 2, 3, 4, 5]);
    expect([created.number, comment.id]).toEqual([6, 1]);
    const listings = upstream.received.filter(
      ({ method, path: to }) => method === 'GET' && to.startsWith('/repos'),
    );
    expect(listings.map(({ path: to }) => to)).toEqual(
      [1, 2, 3].map((page) => `/repos/ada/engine/issues?state=open&labels=a%2Cb%20c&per_page=2&page=${page}`),
    );
  });
});

const execute = async (id: string, name: string, toolInput: object) => {
  const { id: connectedAccountId } = (
    await application.call('GET', `/v1/connections/${id}/accounts/ada`)
  ).json<{ id: string }>();
  const reply = await application.call('POST', `/v1/tools/${id}_${name}/execute`, {
    body: { connectedAccountId, toolInput },
  });
  expect([reply.status, reply.json()]).toEqual([200, expect.objectContaining({ data: { id: 'r1' } })]);
  return upstream.received.at(-1);
};

const sentKey = 'ke%20y%26of%3Drecords';

describe('the request of a connector written in JSON', () => {
  test('sends a form with the key in the query, replaces a given key, and keeps it out of the log', async () => {
    const sent = await execute('records', 'form', { name: 'Ada & co', tags: ['a', 'b'] });
    expect(sent).toMatchObject({
      path: `/forms?q=1&api_key=${sentKey}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=Ada+%26+co&tags%5B%5D=a&tags%5B%5D=b',
    });
    const log = service.stdout();
    expect(log).not.toContain('ke%20y');
    expect(log).not.toContain(KEY);
  });

  test('contains the key in the query for the proxy too', async () => {
    await application.call('GET', '/v1/proxy/records/ada/anything?api_key=mine&b=2');
    expect(upstream.received.at(-1)?.path).toBe(`/anything?b=2&api_key=${sentKey}`);
  });

  test('sends a file as multipart with Basic authentication', async () => {
    const content = Buffer.from([0x89, 0x50, 0, 0xff]);
    const sent = await execute('ledgers', 'file', {
      content: content.toString('base64'),
      name: 'a "b"\r\n.png',
    });
    const [, boundary] =
      /^multipart\/form-data; boundary=(svc-\w+)$/.exec(sent?.headers['content-type'] ?? '') ?? [];
    expect(sent?.headers.authorization).toBe(`Basic ${Buffer.from(`${KEY}:`).toString('base64')}`);
    expect(sent?.body).toBe(
      [
        `--${boundary}`,
        'content-disposition: form-data; name="kind"',
        '',
        'scan',
        `--${boundary}`,
        'content-disposition: form-data; name="file"; filename="a %22b%22%0D%0A.png"',
        'content-type: image/png',
        '',
        content.toString('latin1'),
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
  });
});
