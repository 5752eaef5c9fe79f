import { loadCatalog } from '@svc/catalog';
import { manage } from '@svc/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEverything } from '../support/databases/read-everything.js';
import { connectAgent, firstText, mintToken } from '../support/mcp/agent.js';
import { type Application, type Reply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { richText, titled } from '../support/tools/rich-text.js';

const CONNECTORS = ['calendar', 'video', 'workspace', 'filesite', 'scrapermcp'] as const;

let service: Service;
let owner: Application;

const IDENTIFIER = 'ada';
const setPolicy = (connection: string, policy: object) =>
  manage(service.svc).connections.update(connection, { approve: { default: 'never', tools: {}, ...policy } });

beforeAll(async () => {
  service = await startService({ connectors: [...CONNECTORS] });
  owner = await signIn(service);
  for (const connection of CONNECTORS) await connectAccount(service, connection, IDENTIFIER);
});
afterAll(() => service.stop());

type Json = Readonly<Record<string, unknown>>;

const connectorOf = (toolName: string) => toolName.split('_')[0] ?? '';
const call = (toolName: string, toolInput: object): Promise<Reply> =>
  owner.call('POST', `/v1/tools/${toolName}/execute`, {
    body: { connectionName: connectorOf(toolName), identifier: IDENTIFIER, toolInput },
  });

async function run(toolName: string, toolInput: object): Promise<Json> {
  const reply = await call(toolName, toolInput);
  if (reply.status !== 200) throw new Error(`${toolName}: ${reply.text}`);
  return reply.json<{ data: Json }>().data;
}

interface Asked {
  readonly message: string;
  readonly details: { readonly id: string; readonly object?: Json };
}

const errorOf = (reply: Reply): Asked => {
  expect(reply.headers.get('svc-error'), reply.text).toBe('approval_required');
  return reply.json<{ error: Asked }>().error;
};
/** Denies a call, because few calls of a caller may wait, and returns its approval. */
const deny = ({ details: { id } }: Asked) => manage(service.svc).approvals.decide(id, { decision: 'deny' });

const START = '2026-12-01T09:00:00Z';
const OTHER_ID = '59833787-2cf9-4fdf-8782-e53db20768a5';

/** Returns the id of an object that a tool created. */
const idOf = async (toolName: string, input: object) => String((await run(toolName, input))['id']);
const listed = async (toolName: string, input: object, field = 'items'): Promise<readonly Json[]> =>
  (await run(toolName, input))[field] as readonly Json[];

const newEvent = async (summary: string) => ({
  calendar_id: 'primary',
  event_id: await idOf('calendar_create_event', { summary, start_datetime: START }),
});
const newVideo = async (title: string) => ({
  video_id: await idOf('video_videos_insert', { title, content: 'AAAA', category_id: '22' }),
});
const newPlaylist = async (title: string) => ({
  playlist_id: await idOf('video_playlist_insert', { title }),
});
const newGroup = async (title: string) => ({
  group_id: await idOf('video_analytics_group_create', { title, item_type: 'youtube#video' }),
});
const newPlaylistItem = async (title: string) => ({
  playlist_item_id: await idOf('video_playlist_items_insert', {
    ...(await newPlaylist('List')),
    ...(await newVideo(title)),
  }),
});
const newComment = async (text: string) => ({
  parent_id: await idOf('video_comment_threads_insert', { ...(await newVideo('Video')), text }),
});
const newPage = async (title: string) => {
  const [found] = await listed('workspace_pages_search', { query: 'Projects' }, 'results');
  const input = { parent_page_id: found?.['id'], properties: titled(title) };
  return { page_id: await idOf('workspace_page_create', input) };
};
const newBlock = async (text: string) => {
  const { page_id: block_id } = await newPage('Blocks');
  const blocks = [{ type: 'paragraph', text }];
  const [block] = await listed('workspace_blocks_append', { block_id, blocks }, 'results');
  return { block_id: block?.['id'] };
};
const newPageComment = async (text: string) => {
  const input = { parent: await newPage('Commented'), comment: { rich_text: richText(text) } };
  return { comment_id: await idOf('workspace_comment_create', input) };
};
const newDatabase = async (title: string) => {
  const parent = { type: 'page_id', ...(await newPage('Databases')) };
  const properties = { Name: { title: {} } };
  const input = { parent, title: richText(title), properties };
  return { database_id: await idOf('workspace_database_create', input) };
};
const newDataSource = async (title: string) => {
  const [source] = (await run('workspace_data_source_fetch', await newDatabase(title)))[
    'data_sources'
  ] as readonly Json[];
  return { data_source_id: source?.['id'] };
};
const newJob = async (name: string) => ({
  job_id: await idOf('video_reporting_create_job', { report_type_id: 'channel_basic_a3', name }),
});
const newFile = async (name: string) => {
  const file = await run('filesite_upload_file', { path: name, text: 'x' });
  return { drive_id: file['drive_id'], item_id: file['id'] };
};
const channel = async () => ({ channel_id: `UC${'charlesBabbage'.padEnd(22, '0')}` });
const newSubscription = async () => ({
  subscription_id: await idOf('video_subscriptions_insert', await channel()),
});
const newRun = async () => {
  const input = { startUrls: [{ url: 'https://example.com' }], maxCrawlPages: 500 };
  const started = { actor: ACTOR, input, async: true };
  return { runId: (await run('scrapermcp_call_actor', started))['runId'] };
};

const TITLE = 'Design review';
const ACTOR = 'apify/website-content-crawler';
const COMMENT = { rich_text: richText('Seen') };

interface Case {
  readonly toolName: string;
  /** Creates the object with the title, and returns the input that names it. */
  readonly create: (title: string) => Promise<object>;
  /** Other inputs of the call. */
  readonly rest?: object;
  /** Name of the input with the id, and the title, if they differ from those of the created object. */
  readonly input?: string;
  readonly title?: string;
}

const CASES: readonly Case[] = [
  { toolName: 'calendar_delete_event', create: newEvent, input: 'event_id' },
  { toolName: 'calendar_update_event', create: newEvent, input: 'event_id', rest: { summary: 'Other' } },
  {
    toolName: 'calendar_respond_to_event',
    create: newEvent,
    input: 'event_id',
    rest: { response: 'accepted' },
  },
  { toolName: 'video_videos_delete', create: newVideo },
  { toolName: 'video_videos_update', create: newVideo, rest: { title: 'Other', category_id: '22' } },
  { toolName: 'video_videos_rate', create: newVideo, rest: { rating: 'like' } },
  { toolName: 'video_thumbnails_set', create: newVideo, rest: { image: 'iVBORw0KGgo=' } },
  { toolName: 'video_comment_threads_insert', create: newVideo, rest: { text: 'Good' } },
  { toolName: 'video_comments_insert', create: newComment, rest: { text: 'Thanks' } },
  { toolName: 'video_playlist_delete', create: newPlaylist },
  { toolName: 'video_playlist_update', create: newPlaylist, rest: { title: 'Other' } },
  { toolName: 'video_playlist_items_insert', create: newPlaylist, rest: { video_id: 'dQw4w9WgXcQ' } },
  { toolName: 'video_playlist_items_delete', create: newPlaylistItem },
  { toolName: 'video_subscriptions_delete', create: newSubscription, title: 'Charles Babbage' },
  { toolName: 'video_subscriptions_insert', create: channel, title: 'Charles Babbage' },
  { toolName: 'video_analytics_groups_delete', create: newGroup },
  { toolName: 'video_analytics_groups_update', create: newGroup, rest: { title: 'Other' } },
  {
    toolName: 'video_analytics_group_item_insert',
    create: newGroup,
    rest: { resource_id: 'dQw4w9WgXcQ', resource_kind: 'youtube#video' },
  },
  { toolName: 'video_reporting_jobs_delete', create: newJob },
  { toolName: 'workspace_page_update', create: newPage, rest: { archived: true } },
  { toolName: 'workspace_page_move', create: newPage, rest: { parent_page_id: OTHER_ID } },
  { toolName: 'workspace_page_duplicate', create: newPage },
  { toolName: 'workspace_page_write_markdown', create: newPage, rest: { mode: 'replace', markdown: 'x' } },
  {
    toolName: 'workspace_file_upload',
    create: newPage,
    rest: { filename: 'a.txt', content_type: 'text/plain', text: 'x' },
  },
  {
    toolName: 'workspace_page_create',
    create: async (title) => ({ parent_page_id: (await newPage(title)).page_id }),
    rest: { properties: titled('Child') },
  },
  {
    toolName: 'workspace_database_create',
    create: async (title) => ({ parent: { type: 'page_id', ...(await newPage(title)) } }),
    rest: { title: richText('Tasks'), properties: { Name: { title: {} } } },
  },
  { toolName: 'workspace_data_source_insert_row', create: newDataSource, rest: { properties: {} } },
  { toolName: 'workspace_database_update', create: newDatabase, rest: { title: 'Other' } },
  { toolName: 'workspace_database_insert_row', create: newDatabase, rest: { properties: {} } },
  { toolName: 'workspace_comment_update', create: newPageComment, rest: { comment: COMMENT } },
  { toolName: 'workspace_comment_delete', create: newPageComment },
  {
    toolName: 'workspace_comment_create',
    create: async (title) => ({ parent: await newPage(title) }),
    rest: { comment: COMMENT },
  },
  { toolName: 'workspace_block_delete', create: newBlock },
  { toolName: 'workspace_block_update', create: newBlock, rest: { type: 'paragraph', text: 'Other' } },
  {
    toolName: 'workspace_blocks_append',
    create: newBlock,
    rest: { blocks: [{ type: 'paragraph', text: 'x' }] },
  },
  {
    toolName: 'filesite_create_share_link',
    create: newFile,
    input: 'item_id',
    title: `${TITLE}.txt`,
  },
  { toolName: 'scrapermcp_abort_run', create: newRun, title: ACTOR },
];

async function ask(toolName: string, toolInput: object): Promise<Asked> {
  await setPolicy(connectorOf(toolName), { tools: { [toolName]: 'always' } });
  const reply = await call(toolName, toolInput);
  await setPolicy(connectorOf(toolName), {});
  return errorOf(reply);
}

describe('an approval shows the title and date of the object instead of the id, for', () => {
  test.each(CASES)('$toolName', async ({ toolName, create, rest, input: named, title = TITLE }) => {
    const given = await create(title);
    const [name, value] = Object.entries(given).find(([key]) => named === undefined || key === named) ?? [];
    const asked = await ask(toolName, { ...given, ...rest });
    const { object, sentence, toolInput } = await deny(asked);

    expect(object).toEqual({ input: name, title, date: expect.stringMatching(/^20\d\d-/) });
    expect(sentence).toContain(` “${title}” (${object?.date})`);
    expect(sentence).not.toContain(JSON.stringify(value));
    expect(sentence).not.toContain(`“${value}”`);
    expect(toolInput).toMatchObject(given);
  });

  test('every tool that declares an object is tested', () => {
    const declared = [...loadCatalog().tools.values()].filter(({ object }) => object !== undefined);
    expect(CASES.map(({ toolName }) => toolName).toSorted()).toEqual(declared.map(({ name }) => name));
  });
});

const DELETE = 'calendar_delete_event';
const requests = async () => (await service.sandbox.requests('calendar')).length;

test('the lookup is made once, and its requests are no part of the later execution', async () => {
  const input = await newEvent('Once');
  const before = await requests();
  const asked = await ask(DELETE, input);
  expect(await requests()).toBe(before + 1);
  expect((await ask(DELETE, input)).details).toEqual(asked.details);
  expect(await requests()).toBe(before + 1);
  await deny(asked);
});

test.each([
  { title: 'fails', dials: { failNext: { count: 1, status: 404 } } },
  { title: 'fails in every attempt', dials: { failNext: { count: 9, status: 503 } } },
  { title: 'takes longer than 3 s', dials: { latencyMs: 6000 } },
])('an approval shows the id if the lookup $title', async ({ dials }) => {
  const input = await newEvent('Hidden');
  await service.sandbox.dials('calendar', dials);
  const asked = await ask(DELETE, input);
  await service.sandbox.dials('calendar', { failNext: null, latencyMs: 0 });
  const { object, sentence } = await deny(asked);
  expect(object).toBeUndefined();
  expect(asked.message).not.toContain('The call is about');
  expect(sentence).toContain(`event id “${input.event_id}”`);
});

test('an approval shows the id of an object that does not exist', async () => {
  const { object, sentence } = await deny(await ask(DELETE, { event_id: 'none' }));
  expect({ object, sentence }).toMatchObject({ sentence: expect.stringContaining('event id “none”') });
  expect(object).toBeUndefined();
});

const approvalPage = async (asked: Asked): Promise<string> => {
  const { link = '' } = await manage(service.svc).approvals.get(asked.details.id);
  return (await fetch(link)).text();
};

test.each([
  { kind: 'HTML', summary: '<script>alert(1)</script>', shown: '<script>alert(1)</script>' },
  { kind: 'line breaks', summary: 'One\n\r\tTwo', shown: 'One Two' },
  { kind: 'bidi characters', summary: 'a\u202ecod', shown: 'a\\u202ecod' },
  { kind: 'the end of the quotation', summary: 'x”; event “y', shown: 'x"; event "y' },
  { kind: 'a password', summary: 'password: hunter2!', shown: 'password: (hidden)' },
  { kind: 'a long token', summary: `key ${'aB3'.repeat(20)}`, shown: 'key (hidden)' },
])('H4: a title with $kind is shown safely', async ({ summary, shown }) => {
  const asked = await ask(DELETE, await newEvent(summary));
  const page = await approvalPage(asked);
  const { object, sentence } = await deny(asked);
  expect(object?.title).toBe(shown);
  expect(sentence).toContain(`event “${shown}”`);
  expect(asked.message).toContain(`The call is about “${shown}”`);
  for (const text of [sentence, asked.message]) expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(page).not.toContain('<script>alert');
});

test('H4: a long title is cut', async () => {
  const asked = await ask(DELETE, await newEvent('long word '.repeat(500)));
  const { object, sentence } = await deny(asked);
  expect(object?.title).toMatch(/^.{120}…$/);
  expect(sentence.length).toBeLessThan(1000);
});

test('H4: the title is stored encrypted', async () => {
  const asked = await ask(DELETE, await newEvent('Xyzzy merger'));
  await deny(asked);
  const stored = await readEverything(service);
  expect(stored.includes(asked.details.id)).toBe(true);
  expect(stored.includes('Xyzzy')).toBe(false);
});

describe('H3: the error of a token’s bearer names the object', () => {
  const READ = 'calendar_get_event_by_id';
  test.each([
    { title: 'if the token allows the read-only tool', limits: {}, isNamed: true },
    { title: 'not if the token excludes the read-only tool', limits: { tools: [DELETE] }, isNamed: false },
    { title: 'not if the read-only tool needs approval too', limits: { approve: 'always' }, isNamed: false },
  ])('$title', async ({ limits, isNamed }) => {
    const input = await newEvent('Secret plan');
    const token = await mintToken(service, { identifier: IDENTIFIER, approve: 'destructive', ...limits });
    const agent = await connectAgent(service, { token, path: '/mcp/calendar' });
    const text = firstText(await agent.callTool({ name: DELETE, arguments: input }));
    await agent.close();
    expect(text).toContain('approval_required');
    expect(text.includes('The call is about “Secret plan” (2026-12-01T')).toBe(isNamed);
    expect(text.includes('Secret plan')).toBe(isNamed);
    const { items } = await manage(service.svc).approvals.list({ status: 'pending' });
    expect(items[0]?.object).toMatchObject({ title: 'Secret plan' });
  });

  test('not after the connection requires an approval for the read-only tool', async () => {
    await setPolicy('calendar', { tools: { [READ]: 'always', [DELETE]: 'always' } });
    const asked = errorOf(await call(DELETE, await newEvent('Read later')));
    expect(asked.details.object).toBeUndefined();
    await setPolicy('calendar', {});
  });
});
