import { calendar } from '@googleapis/calendar';
import { youtube } from '@googleapis/youtube';
import { youtubeAnalytics } from '@googleapis/youtubeanalytics';
import { describe, expect, inject, test } from 'vitest';
import { calendars } from './google/calendars.js';
import { events } from './google/events.js';
import { type GoogleApi, type GoogleOperation, tokenOf } from './google/operation.js';
import { analytics, videos } from './google/youtube.js';
import { IDENTIFIER } from './support/identifier.js';
import type { Address } from './support/ways.js';

interface Waiting {
  readonly title: string;
  readonly connector: string;
  /** Operations that wait. It may only become less. */
  readonly count: number;
  /** A client whose address is set once, as people set it. */
  readonly create: (address: Address) => GoogleApi<unknown>;
  readonly operations: readonly GoogleOperation<never>[];
}

const works = (operation: GoogleOperation<never>) => operation.throws === undefined;
const once: GoogleApi<unknown>['at'] = async (call) => (await call({} as { rootUrl: string })).data;
const rootOf = ({ baseUrl }: Address) => ({ rootUrl: `${baseUrl}/`, retry: false });

/**
 * Google's clients drop the path of an address that they are made with: what they ask for begins at the root of the service.
 * They wait for an address of the proxy's own, on which a token alone says where a request goes.
 */
const WAITING: readonly Waiting[] = [
  {
    title: "Google's calendar client",
    connector: 'calendar',
    count: 49,
    create: (address) => ({
      api: calendar({ version: 'v3', auth: tokenOf(address), ...rootOf(address) }),
      at: once,
    }),
    operations: [...calendars, ...events].filter(works),
  },
  {
    title: "Google's video client",
    connector: 'video',
    count: 35,
    create: (address) => ({
      api: youtube({ version: 'v3', auth: tokenOf(address), ...rootOf(address) }),
      at: once,
    }),
    operations: videos.filter(works),
  },
  {
    title: "Google's analytics client",
    connector: 'video',
    count: 6,
    create: (address) => ({
      api: youtubeAnalytics({ version: 'v2', auth: tokenOf(address), ...rootOf(address) }),
      at: once,
    }),
    operations: analytics.filter(works),
  },
];

describe.each(WAITING)('$title, by its address alone', ({ connector, count, create, operations }) => {
  test('has as many operations that wait as are known', () => {
    expect(operations.length).toBe(count);
  });

  test.each(operations)('waits for an address of the proxy: $name', async ({ call }) => {
    const { url, token } = inject('stage');
    const api = create({ baseUrl: `${url}/v1/proxy/${connector}/${IDENTIFIER}`, token });
    const answered = call(
      api as GoogleApi<never>,
      () => 'x',
      async () => undefined,
    );
    await expect(answered).rejects.toThrow('There is nothing here.');
  });
});
