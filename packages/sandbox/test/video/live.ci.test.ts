import { beforeEach, describe, expect, test } from 'vitest';
import { ADA, ada, CHARLES, data, GRACE, grace, items, read, reason, sandbox, useVideo } from './setup.js';

useVideo();

const WHOLE = { part: 'snippet,status,contentDetails' };
let id: string;
let chatId: string;
let streamId: string;

interface New {
  readonly privacyStatus?: string;
  readonly isTested?: boolean;
}

async function newBroadcast({ privacyStatus = 'public', isTested = true }: New = {}) {
  const { body } = await data('POST', 'liveBroadcasts', WHOLE, {
    body: {
      snippet: { title: 'Debut', scheduledStartTime: '2030-01-01T10:00:00Z' },
      status: { privacyStatus },
      contentDetails: { monitorStream: { enableMonitorStream: isTested } },
    },
  });
  return body;
}

beforeEach(async () => {
  const broadcast = await newBroadcast();
  id = broadcast.id;
  chatId = broadcast.snippet.liveChatId;
  const stream = {
    snippet: { title: 'Camera' },
    cdn: { ingestionType: 'rtmp', resolution: '720p', frameRate: '30fps' },
  };
  streamId = (await data('POST', 'liveStreams', { part: 'snippet,cdn,status' }, { body: stream })).body.id;
});

const bind = (query: Record<string, string> = { streamId }, as = ada) =>
  data('POST', 'liveBroadcasts/bind', { ...WHOLE, id, ...query }, { as });
const go = (broadcastStatus: string, query: Record<string, string> = {}) =>
  data('POST', 'liveBroadcasts/transition', { ...WHOLE, id, broadcastStatus, ...query });
const cue = (body: object) => data('POST', 'liveBroadcasts/cuepoint', { id }, { body });
const say = (messageText: string, as = ada) =>
  data(
    'POST',
    'liveChat/messages',
    { part: 'snippet' },
    {
      as,
      body: {
        snippet: { liveChatId: chatId, type: 'textMessageEvent', textMessageDetails: { messageText } },
      },
    },
  );
const hear = (query: Record<string, string> = {}, as = ada) =>
  read('liveChat/messages', { part: 'snippet,authorDetails', liveChatId: chatId, ...query }, as);

describe('a live broadcast', () => {
  test('passes through ready, testing, live and complete', async () => {
    expect((await bind()).body).toMatchObject({
      status: { lifeCycleStatus: 'ready' },
      contentDetails: { boundStreamId: streamId },
    });
    const stream = items(await read('liveStreams', { part: 'status', id: streamId }))[0];
    expect(stream.status.streamStatus).toBe('active');
    for (const status of ['testing', 'live', 'complete']) {
      expect((await go(status)).body.status.lifeCycleStatus).toBe(status);
      expect(reason(await go(status))).toEqual([403, 'redundantTransition']);
    }
    const [over] = items(await read('liveBroadcasts', { ...WHOLE, broadcastStatus: 'completed' }));
    expect(over).toMatchObject({ id, snippet: { actualEndTime: expect.any(String) } });
    expect(items(await read('liveBroadcasts', { ...WHOLE, broadcastStatus: 'active' }))).toEqual([]);
    expect(reason(await go('live'))).toEqual([403, 'invalidTransition']);
  });

  test('refuses invalid transitions', async () => {
    expect(reason(await go('testing'))).toEqual([403, 'errorStreamInactive']);
    await bind();
    expect(reason(await go('live'))).toEqual([403, 'invalidTransition']);
    expect(reason(await go('complete'))).toEqual([403, 'invalidTransition']);
    expect(reason(await go('statusUnspecified'))).toEqual([400, 'statusRequired']);
    expect(reason(await go('over'))).toEqual([400, 'invalidParameter']);
    expect(reason(await go('testing', { id: 'nothing' }))).toEqual([404, 'liveBroadcastNotFound']);
    expect((await bind({})).body.status.lifeCycleStatus).toBe('created');
    expect(reason(await go('testing'))).toEqual([403, 'errorStreamInactive']);
  });

  test('goes live without testing if it has no monitor stream', async () => {
    id = (await newBroadcast({ isTested: false })).id;
    await bind();
    expect(reason(await go('testing'))).toEqual([403, 'invalidTransition']);
    expect((await go('live')).status).toBe(200);
  });

  test('cannot be bound, deleted or reconfigured while it runs', async () => {
    await bind();
    await go('testing');
    expect(reason(await bind())).toEqual([403, 'liveBroadcastBindingNotAllowed']);
    expect(reason(await data('DELETE', 'liveBroadcasts', { id }))).toEqual([
      403,
      'liveBroadcastDeletionNotAllowed',
    ]);
    const body = { id, contentDetails: {} };
    expect(reason(await data('PUT', 'liveBroadcasts', { part: 'contentDetails' }, { body }))).toEqual([
      403,
      'modificationNotAllowed',
    ]);
    expect(reason(await data('DELETE', 'liveStreams', { id: streamId }))).toEqual([
      403,
      'liveStreamDeletionNotAllowed',
    ]);
  });

  test('is bound only to streams of its own channel', async () => {
    expect(reason(await bind({ streamId: 'nothing' }))).toEqual([404, 'liveStreamNotFound']);
    expect(reason(await bind({ streamId }, grace))).toEqual([403, 'forbidden']);
  });

  test('accepts cuepoints only while it is live', async () => {
    expect(reason(await cue({ cueType: 'cueTypeAd' }))).toEqual([403, 'liveBroadcastNotActive']);
    await bind();
    await go('testing');
    await go('live');
    const made = await cue({ cueType: 'cueTypeAd', durationSecs: 60 });
    expect(made.body).toMatchObject({ cueType: 'cueTypeAd', durationSecs: 60, id: expect.any(String) });
    expect(reason(await cue({}))).toEqual([400, 'cueTypeRequired']);
    const both = { cueType: 'cueTypeAd', insertionOffsetTimeMs: '1', walltimeMs: '2' };
    expect(reason(await cue(both))).toEqual([400, 'conflictingTimeFields']);
    expect(reason(await cue({ cueType: 'cueTypeAd', durationSecs: 0 }))).toEqual([400, 'invalidDuration']);
  });
});

describe('a live chat', () => {
  test('continues from a page token and shows tombstones for deleted messages', async () => {
    const { body: first } = await say('One', grace);
    const page = await hear();
    expect(items(page)).toMatchObject([
      { snippet: { displayMessage: 'One' }, authorDetails: { channelId: GRACE, isChatOwner: false } },
    ]);
    await say('Two');
    expect((await data('DELETE', 'liveChat/messages', { id: first.id })).status).toBe(204);
    expect(reason(await data('DELETE', 'liveChat/messages', { id: first.id }))).toEqual([
      404,
      'liveChatMessageNotFound',
    ]);
    const next = await hear({ pageToken: page.body.nextPageToken });
    expect(items(next).map(({ snippet }) => snippet.displayMessage)).toEqual(['Two']);
    expect(items(await hear()).map(({ snippet }) => snippet.type)).toEqual(['tombstone', 'textMessageEvent']);
    expect(reason(await hear({ pageToken: 'x' }))).toEqual([400, 'invalidPageToken']);
  });

  test('is hidden for a private broadcast and closed after the end of the broadcast', async () => {
    expect(reason(await hear({ liveChatId: 'nothing' }))).toEqual([404, 'liveChatNotFound']);
    const hidden = (await newBroadcast({ privacyStatus: 'private' })).snippet.liveChatId;
    expect(reason(await hear({ liveChatId: hidden }, grace))).toEqual([404, 'liveChatNotFound']);
    expect(reason(await say(' '))).toEqual([400, 'messageTextRequired']);
    expect(reason(await say('x'.repeat(201)))).toEqual([400, 'messageTextInvalid']);
    await bind();
    for (const status of ['testing', 'live', 'complete']) await go(status);
    expect(reason(await say('Too late'))).toEqual([403, 'liveChatEnded']);
    expect((await hear()).body.offlineAt).toEqual(expect.any(String));
  });

  const ban = (channelId: string, more: object, as = ada) =>
    data(
      'POST',
      'liveChat/bans',
      { part: 'snippet' },
      { as, body: { snippet: { liveChatId: chatId, bannedUserDetails: { channelId }, ...more } } },
    );

  test('refuses messages of banned users until the ban expires or is deleted', async () => {
    expect((await ban(GRACE, { type: 'temporary', banDurationSeconds: '60' })).body.snippet).toMatchObject({
      type: 'temporary',
      banDurationSeconds: '60',
    });
    expect(reason(await say('Hello?', grace))).toEqual([403, 'forbidden']);
    await sandbox.clock.advance(61_000);
    expect((await say('Hello', grace)).status).toBe(200);
    const { body } = await ban(GRACE, { type: 'permanent' });
    expect(reason(await say('Hello?', grace))).toEqual([403, 'forbidden']);
    expect(reason(await data('DELETE', 'liveChat/bans', { id: body.id }, { as: grace }))).toEqual([
      403,
      'forbidden',
    ]);
    expect((await data('DELETE', 'liveChat/bans', { id: body.id })).status).toBe(204);
    expect((await say('Hello', grace)).status).toBe(200);
    expect(reason(await data('DELETE', 'liveChat/bans', { id: body.id }))).toEqual([
      404,
      'liveChatBanNotFound',
    ]);
  });

  test.each([
    [{ bannedUserDetails: { channelId: ADA }, type: 'permanent' }, [403, 'liveChatBanInsertionNotAllowed']],
    [{ bannedUserDetails: {}, type: 'permanent' }, [400, 'channelIdRequired']],
    [{ bannedUserDetails: { channelId: 'UCnobody' }, type: 'permanent' }, [404, 'userNotFound']],
    [{}, [400, 'banTypeRequired']],
    [{ type: 'temporary', banDurationSeconds: '0' }, [400, 'invalidBanDuration']],
  ])('refuses the ban %j', async (more, expected) => {
    expect(reason(await ban(GRACE, more))).toEqual(expected);
  });

  test('gives moderators of the owner the right to ban users and delete messages', async () => {
    const name = (channelId: string, as = ada) =>
      data(
        'POST',
        'liveChat/moderators',
        { part: 'snippet' },
        { as, body: { snippet: { liveChatId: chatId, moderatorDetails: { channelId } } } },
      );
    const list = (as = ada) => read('liveChat/moderators', { part: 'snippet', liveChatId: chatId }, as);
    const { body: word } = await say('Mine');
    expect(reason(await data('DELETE', 'liveChat/messages', { id: word.id }, { as: grace }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(reason(await ban(CHARLES, { type: 'permanent' }, grace))).toEqual([403, 'forbidden']);
    expect(reason(await name(GRACE, grace))).toEqual([403, 'forbidden']);
    const { body } = await name(GRACE);
    expect(items(await list())).toEqual([body]);
    expect(reason(await list(grace))).toEqual([403, 'forbidden']);
    expect(reason(await name(GRACE))).toEqual([400, 'moderatorDuplicate']);
    expect((await ban(CHARLES, { type: 'permanent' }, grace)).status).toBe(200);
    expect((await data('DELETE', 'liveChat/messages', { id: word.id }, { as: grace })).status).toBe(204);
    expect((await data('DELETE', 'liveChat/moderators', { id: body.id })).status).toBe(204);
    expect(items(await list())).toEqual([]);
  });

  test('allows one open poll at a time', async () => {
    const createPoll = (options: readonly object[], as = ada) => {
      const pollDetails = { metadata: { questionText: 'Steam?', options } };
      const body = { snippet: { liveChatId: chatId, type: 'pollEvent', pollDetails } };
      return data('POST', 'liveChat/messages', { part: 'snippet' }, { as, body });
    };
    const two = [{ optionText: 'Yes' }, { optionText: 'No' }];
    expect(reason(await createPoll(two, grace))).toEqual([403, 'forbidden']);
    expect(reason(await createPoll(two.slice(1)))).toEqual([400, 'invalidPoll']);
    const { body } = await createPoll(two);
    expect(reason(await createPoll(two))).toEqual([400, 'pollActive']);
    const close = (query: Record<string, string>) =>
      data('POST', 'liveChat/messages/transition', { id: body.id, ...query });
    expect(reason(await close({}))).toEqual([400, 'statusRequired']);
    expect((await close({ status: 'closed' })).body.snippet.pollDetails.status).toBe('closed');
    expect((await createPoll(two)).status).toBe(200);
  });
});
