import { describe, expect, test } from 'vitest';
import { ADA, ada, CHARLES, data, GRACE, grace, items, playlist, read, reason, useVideo } from './setup.js';

useVideo();

const list = (query: Record<string, string>, as = ada) =>
  read('activities', { part: 'snippet,contentDetails', maxResults: '50', ...query }, as);
const types = async (query: Record<string, string>, as = ada) => [
  ...new Set(items(await list(query, as)).map(({ snippet }) => snippet.type)),
];

describe('activities of a channel', () => {
  test('are listed newest first and disappear with their object', async () => {
    const resourceId = { kind: 'youtube#video', videoId: 'societyLec1' };
    const body = { snippet: { playlistId: playlist('adaMathematics'), resourceId } };
    const { body: item } = await data('POST', 'playlistItems', { part: 'snippet' }, { body });
    const [newest, ...others] = items(await list({ channelId: ADA }, grace));
    expect(newest).toMatchObject({
      snippet: { type: 'playlistItem', channelId: ADA, title: 'A lecture on engines' },
      contentDetails: { playlistItem: { resourceId, playlistItemId: item.id } },
    });
    const times = others.map(({ snippet }) => snippet.publishedAt);
    expect(times).toEqual([...times].sort().reverse());
    await data('DELETE', 'playlistItems', { id: item.id });
    expect(items(await list({ channelId: ADA }, grace))).toEqual(others);
  });

  test('hide private uploads, and subscriptions of channels that keep them private', async () => {
    const uploads = items(await list({ mine: 'true' })).flatMap(
      ({ contentDetails }) => contentDetails.upload?.videoId ?? [],
    );
    expect(uploads).toContain('adaEngine01');
    expect(uploads).not.toContain('adaDraft_04');
    expect(await types({ mine: 'true' })).toContain('subscription');
    expect(await types({ channelId: ADA }, grace)).not.toContain('subscription');
    expect(await types({ channelId: CHARLES }, grace)).toContain('subscription');
  });

  test('come from subscribed channels if home is true', async () => {
    const channels = items(await list({ home: 'true' }, grace)).map(({ snippet }) => snippet.channelId);
    expect(new Set(channels)).toEqual(new Set([ADA]));
  });

  test('are filtered by time and split into pages', async () => {
    const all = items(await list({ channelId: ADA }));
    const middle = all[2].snippet.publishedAt;
    const after = items(await list({ channelId: ADA, publishedAfter: middle }));
    const before = items(await list({ channelId: ADA, publishedBefore: middle }));
    expect([...after, ...before]).toEqual(all);
    const first = await list({ channelId: ADA, maxResults: '2' });
    const second = await list({ channelId: ADA, maxResults: '2', pageToken: first.body.nextPageToken });
    expect([...items(first), ...items(second)]).toEqual(all.slice(0, 4));
  });

  test.each([
    [{}, [400, 'missingRequiredParameter']],
    [{ mine: 'true', home: 'true' }, [400, 'incompatibleParameters']],
    [{ channelId: 'UCnobody' }, [404, 'channelNotFound']],
    [{ mine: 'true', regionCode: 'ZZ' }, [400, 'invalidRegionCode']],
    [{ mine: 'true', publishedAfter: 'yesterday' }, [400, 'invalidParameter']],
  ])('are refused for %j', async (query, expected) => {
    expect(reason(await list(query as Record<string, string>))).toEqual(expected);
  });
});

describe('an update of a channel', () => {
  const put = (body: object, part: string) =>
    data('PUT', 'channels', { part }, { body: { id: ADA, ...body } });

  test('changes part by part and removes omitted fields', async () => {
    const settings = { description: 'New', country: 'FR', keywords: 'engine', defaultLanguage: 'en' };
    await put({ brandingSettings: { channel: settings } }, 'brandingSettings');
    await put({ localizations: { de: { title: 'Ada', description: 'Neu' } } }, 'localizations');
    await put({ status: { selfDeclaredMadeForKids: true } }, 'status');
    const part = 'snippet,brandingSettings,localizations,status';
    const [channel] = items(await read('channels', { part, id: ADA }, grace));
    expect(channel).toMatchObject({
      snippet: { title: 'Ada Lovelace', description: 'New', country: 'FR', defaultLanguage: 'en' },
      brandingSettings: { channel: { keywords: 'engine' } },
      localizations: { de: { description: 'Neu' } },
      status: { madeForKids: true },
    });
    const { body } = await put({ brandingSettings: { channel: {} } }, 'brandingSettings');
    expect(body.brandingSettings.channel).not.toHaveProperty('keywords');
  });

  test.each([
    [{ id: undefined }, 'status', [400, 'missingRequiredParameter']],
    [{ id: 'UCnobody' }, 'status', [404, 'channelNotFound']],
    [{ id: GRACE }, 'status', [403, 'channelForbidden']],
    [{}, 'snippet', [400, 'unknownPart']],
    [{ status: {} }, 'localizations', [400, 'unexpectedPart']],
    [{ localizations: { de: {} } }, 'localizations', [400, 'defaultLanguageNotSetError']],
    [
      { brandingSettings: { channel: { title: 'Other' } } },
      'brandingSettings',
      [403, 'channelTitleUpdateForbidden'],
    ],
    [
      { brandingSettings: { channel: { description: 'x'.repeat(1001) } } },
      'brandingSettings',
      [400, 'brandingValidationError'],
    ],
    [
      { brandingSettings: { channel: { unsubscribedTrailer: 'nothing' } } },
      'brandingSettings',
      [400, 'brandingValidationError'],
    ],
    [
      { brandingSettings: { image: { bannerExternalUrl: 'x' } } },
      'brandingSettings',
      [400, 'brandingValidationError'],
    ],
  ])('is refused for %j', async (body, part, expected) => {
    expect(reason(await put(body, part))).toEqual(expected);
  });
});

describe('statistics and trainability of videos', () => {
  test('are returned for several videos, if the user can see them', async () => {
    const response = await read('videos:batchGetStats', {
      id: 'adaEngine01,graceHide03',
      part: 'statistics,contentDetails',
    });
    expect(items(response)).toMatchObject([
      {
        id: 'adaEngine01',
        statistics: { viewCount: expect.any(String) },
        contentDetails: { duration: expect.any(String), durationMillis: expect.stringMatching(/000$/) },
      },
    ]);
    expect(items(await read('videos:batchGetStats', { id: 'adaEngine01' }))[0]).toHaveProperty('snippet');
    expect(reason(await read('videos:batchGetStats', {}))).toEqual([400, 'videoIdRequired']);
  });

  test('list the permitted parties of a visible video', async () => {
    const { body } = await read('videoTrainability', { id: 'adaEngine01' });
    expect(body).toMatchObject({ videoId: 'adaEngine01', permitted: ['none'] });
    expect(reason(await read('videoTrainability', { id: 'graceHide03' }))).toEqual([404, 'videoNotFound']);
    expect(reason(await read('videoTrainability', {}))).toEqual([400, 'missingRequiredParameter']);
  });
});
