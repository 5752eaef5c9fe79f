import { calendar } from '@googleapis/calendar';
import { youtube } from '@googleapis/youtube';
import { youtubeAnalytics } from '@googleapis/youtubeanalytics';
import { Client } from '@notionhq/client';
import { ApifyClient } from 'apify-client';
import { expect, test } from 'vitest';
import { isFull } from '../../../server/test/support/runner/rounds.ts';
import { startSandbox } from '../../src/index.js';
import { connect } from '../authorized.js';
import { actors, storages } from './apify/operations.js';
import { analytics } from './google/analytics.js';
import { calendars } from './google/calendars.js';
import { channel } from './google/channel.js';
import { comments as videoComments } from './google/comments.js';
import { eventLists } from './google/event-lists.js';
import { events } from './google/events.js';
import { live } from './google/live.js';
import { MEMBERS_SCOPE, members } from './google/members.js';
import { atAddress, tokenOf } from './google/operation.js';
import { SCOPE } from './google/scope.js';
import { uploads } from './google/uploads.js';
import { videos } from './google/videos.js';
import { graphClient } from './graph/client.js';
import { files as graphFiles } from './graph/files.js';
import { sites } from './graph/sites.js';
import { blocks } from './notion/blocks.js';
import { comments } from './notion/comments.js';
import { databases } from './notion/databases.js';
import { files } from './notion/files.js';
import { lookups } from './notion/lookups.js';
import { pages } from './notion/pages.js';
import { views } from './notion/views.js';
import type { Operation } from './support/battery.js';
import type { Address } from './support/ways.js';
import { assignResponses } from './types/assign-responses.js';
import { startRecorder } from './types/record-responses.js';
import { FINDERS, type Typed } from './types/vendor-types.js';
import { walkOperations } from './types/walk-operations.js';

interface Recorded<Client> {
  readonly connector: string;
  readonly host?: string;
  readonly params?: Record<string, string>;
  readonly key?: string;
  readonly create: (address: Address) => Client;
  readonly operations: readonly Operation<Client>[];
  readonly find: (typeof FINDERS)[keyof typeof FINDERS];
}

async function record<Client>({
  connector,
  host,
  params,
  key,
  create,
  operations,
  find,
}: Recorded<Client>): Promise<Typed[]> {
  const sandbox = await startSandbox({ connectors: [connector] });
  const { baseUrl, hosts } = sandbox.upstream(connector);
  const recorder = await startRecorder(host === undefined ? baseUrl : (hosts?.[host] ?? ''));
  const token = key ?? (await connect(sandbox, connector, params && { params })).token;
  const client = create({ baseUrl: recorder.baseUrl, token });
  await walkOperations(operations, { client, setDials: (changes) => sandbox.dials(connector, changes) });
  await recorder.stop();
  await sandbox.stop();
  return recorder.responses.flatMap(find);
}

const OF_VIDEO = {
  connector: 'video',
  params: { scope: `${SCOPE} ${MEMBERS_SCOPE}`, access_type: 'offline' },
  find: FINDERS.google,
};
const GRAPH = 'offline_access Sites.ReadWrite.All Files.ReadWrite.All User.Read';

const recordAnalytics = () =>
  record({
    ...OF_VIDEO,
    host: 'analytics',
    create: (address) => ({
      api: youtubeAnalytics({ version: 'v2', auth: tokenOf(address) }),
      at: atAddress(address),
    }),
    operations: analytics,
  });

const all: Readonly<Record<string, () => Promise<Typed[]>>> = {
  youtubeAnalytics: recordAnalytics,
  notion: () =>
    record({
      connector: 'workspace',
      create: ({ baseUrl, token }) => new Client({ auth: token, baseUrl, logger: () => undefined }),
      operations: [...lookups, ...pages, ...blocks, ...databases, ...views, ...comments, ...files],
      find: FINDERS.notion,
    }),
  calendar: () =>
    record({
      connector: 'calendar',
      create: (address) => ({
        api: calendar({ version: 'v3', auth: tokenOf(address) }),
        at: atAddress(address),
      }),
      operations: [...calendars, ...events, ...eventLists],
      find: FINDERS.google,
    }),
  youtube: () =>
    record({
      ...OF_VIDEO,
      create: (address) => ({
        api: youtube({ version: 'v3', auth: tokenOf(address) }),
        at: atAddress(address),
      }),
      operations: [...members, ...channel, ...live, ...uploads, ...videos, ...videoComments],
    }),
  graph: () =>
    record({
      connector: 'filesite',
      params: { scope: GRAPH },
      create: graphClient,
      operations: [...sites, ...graphFiles],
      find: FINDERS.graph,
    }),
  apify: () =>
    record({
      connector: 'scrapermcp',
      host: 'api',
      key: 'sandbox-scrapermcp',
      create: ({ baseUrl, token }) => new ApifyClient({ baseUrl, token, maxRetries: 1 }),
      operations: [...actors, ...storages],
      find: FINDERS.apify,
    }),
};

// Full test runs record all clients. Other runs record only the small one, because the others take minutes.
const recordings = isFull ? all : { youtubeAnalytics: recordAnalytics };

test('the sandbox responses match the types of the vendor packages', { timeout: 300_000 }, async () => {
  const typed: Typed[] = [];
  for (const [client, make] of Object.entries(recordings)) {
    const checks = await make();
    expect(checks.length, client).toBeGreaterThan(0);
    typed.push(...checks);
  }
  expect(assignResponses(typed)).toEqual([]);
});
