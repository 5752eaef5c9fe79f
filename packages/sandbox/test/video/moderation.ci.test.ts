import { describe, expect, test } from 'vitest';
import {
  ADA,
  ada,
  approved,
  CHARLES,
  data,
  GRACE,
  grace,
  ids,
  items,
  read,
  reason,
  useVideo,
} from './setup.js';

useVideo();

const CARDS = 'UgzCards0000000000004AaABAg';
const WORDS = 'UgzWords0000000000004AaABAg';
const threads = (query: Record<string, string> = {}, as = ada) =>
  read('commentThreads', { part: 'snippet', videoId: 'adaEngine01', ...query }, as);
const moderate = (query: Record<string, string>, as = ada) =>
  data('POST', 'comments/setModerationStatus', { id: CARDS, moderationStatus: 'rejected', ...query }, { as });
const say = (as: typeof ada) =>
  data(
    'POST',
    'commentThreads',
    { part: 'snippet' },
    {
      as,
      body: {
        snippet: { videoId: 'adaEngine01', topLevelComment: { snippet: { textOriginal: 'Me again' } } },
      },
    },
  );

describe('the moderation of a comment', () => {
  test('hides a comment held for review from others until it is published', async () => {
    expect((await moderate({ moderationStatus: 'heldForReview' })).status).toBe(204);
    expect(ids(await threads())).not.toContain(CARDS);
    const heldThreads = items(await threads({ moderationStatus: 'heldForReview' }));
    expect(heldThreads.map(({ id }) => id)).toEqual([CARDS]);
    expect(heldThreads[0].snippet.topLevelComment.snippet.moderationStatus).toBe('heldForReview');
    expect(reason(await threads({ moderationStatus: 'heldForReview' }, grace))).toEqual([403, 'forbidden']);
    await moderate({ moderationStatus: 'published' });
    expect(ids(await threads({}, grace))).toContain(CARDS);
  });

  test('shows a comment held for review by id only to its author and the video owner', async () => {
    const STEAM = 'UgzSteam0000000000004AaABAg';
    await moderate({ id: STEAM, moderationStatus: 'heldForReview' });
    const byId = { part: 'snippet', id: STEAM };
    expect(ids(await read('commentThreads', byId))).toEqual([STEAM]);
    expect(ids(await read('comments', byId, grace))).toEqual([]);
    expect(reason(await read('commentThreads', byId, grace))).toEqual([404, 'commentThreadNotFound']);
    await moderate({ moderationStatus: 'heldForReview' });
    expect(ids(await read('comments', { part: 'snippet', id: CARDS }, grace))).toEqual([CARDS]);
  });

  test('rejects new comments of a banned author', async () => {
    await moderate({ banAuthor: 'true' });
    const { body } = await say(grace);
    expect(ids(await threads())).not.toContain(body.id);
    expect(ids(await threads({ moderationStatus: 'rejected' }))).toEqual([body.id, CARDS]);
    const own = await say(ada);
    expect(ids(await threads())).toContain(own.body.id);
  });

  test('marks a comment as spam only for the video owner', async () => {
    const mark = (id: string, as = ada) => data('POST', 'comments/markAsSpam', { id }, { as });
    expect((await mark(CARDS, grace)).status).toBe(204);
    expect(ids(await threads())).toContain(CARDS);
    expect((await mark(CARDS)).status).toBe(204);
    expect(ids(await threads({ moderationStatus: 'likelySpam' }))).toEqual([CARDS]);
    expect(reason(await mark('nothing'))).toEqual([404, 'commentNotFound']);
  });

  test.each([
    [{ moderationStatus: 'published', banAuthor: 'true' }, [400, 'banWithoutReject']],
    [{ moderationStatus: 'likelySpam' }, [400, 'operationNotSupported']],
    [{ moderationStatus: 'unknown' }, [400, 'invalidParameter']],
    [{ id: `${CARDS},nothing` }, [404, 'commentNotFound']],
    [{ id: `${CARDS},${WORDS}` }, [403, 'forbidden']],
  ])('is refused with %j', async (query, expected) => {
    expect(reason(await moderate(query as Record<string, string>))).toEqual(expected);
    expect(ids(await threads())).toContain(CARDS);
  });
});

describe('an abuse report', () => {
  test.each([
    [{ videoId: 'graceCobol1', reasonId: 'S' }, [204, undefined]],
    [{ reasonId: 'S' }, [400, 'videoIdRequired']],
    [{ videoId: 'graceHide03', reasonId: 'S' }, [404, 'videoNotFound']],
    [{ videoId: 'graceCobol1', reasonId: 'Z' }, [400, 'invalidAbuseReason']],
    [{ videoId: 'graceCobol1', reasonId: 'S', secondaryReasonId: '1' }, [400, 'invalidAbuseReason']],
  ])('returns status and reason for the video report %j: %j', async (body, [status, expected]) => {
    const response = await data('POST', 'videos/reportAbuse', {}, { body });
    expect([response.status, response.body?.error.errors[0].reason]).toEqual([status, expected]);
  });

  test('requires a subject and an abuse type for other subjects', async () => {
    const post = (body: object) => data('POST', 'abuseReports', { part: 'subject,abuseTypes' }, { body });
    const report = { subject: { id: CHARLES }, abuseTypes: [{ id: 'S' }] };
    expect((await post(report)).body).toEqual(report);
    expect(reason(await post({ abuseTypes: [{ id: 'S' }] }))).toEqual([400, 'subjectRequired']);
    expect(reason(await post({ subject: { id: CHARLES } }))).toEqual([400, 'abuseTypeRequired']);
  });
});

describe('channel memberships', () => {
  const MEMBERS = ['youtube.channel-memberships.creator', 'youtube.readonly'];
  const members = async (query: Record<string, string> = {}) =>
    items(await read('members', { part: 'snippet', ...query }, await approved('ada', MEMBERS))).map(
      ({ snippet }) => snippet.memberDetails.channelId,
    );

  test('list members by level, channel and mode', async () => {
    expect(await members()).toEqual([CHARLES, GRACE]);
    expect(await members({ hasAccessToLevel: 'levelEngine' })).toEqual([CHARLES]);
    expect(await members({ filterByMemberChannelId: `${GRACE},${ADA}` })).toEqual([GRACE]);
    expect(await members({ mode: 'updates' })).toEqual([]);
    const as = await approved('ada', MEMBERS);
    expect(ids(await read('membershipsLevels', { part: 'snippet' }, as))).toEqual([
      'levelCards',
      'levelEngine',
    ]);
    const wrong = await read('members', { part: 'snippet', hasAccessToLevel: 'none' }, as);
    expect(reason(wrong)).toEqual([400, 'invalidLevel']);
  });

  test('include Super Chat events of the last 30 days', async () => {
    const paid = items(await read('superChatEvents', { part: 'snippet' }));
    expect(paid.map(({ snippet }) => snippet.displayString)).toEqual(['£5.00', '£2.00']);
    expect(items(await read('superChatEvents', { part: 'snippet' }, grace))).toEqual([]);
  });

  test('are refused for a channel without memberships', async () => {
    const as = await approved('grace', MEMBERS);
    for (const resource of ['members', 'membershipsLevels'])
      expect(reason(await read(resource, { part: 'snippet' }, as))).toEqual([
        403,
        'channelMembershipsNotEnabled',
      ]);
  });
});
