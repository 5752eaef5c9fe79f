import { describe, expect, test } from 'vitest';
import { approved, data, grace, ids, items, read, reason, sandbox, useVideo } from './setup.js';

useVideo();

const show = async (id: string) => items(await read('videos', { part: 'snippet,status', id }))[0];
const update = (part: string, body: object, as?: typeof grace) =>
  data('PUT', 'videos', { part }, { body, ...(as === undefined ? {} : { as }) });
const SNIPPET = { title: 'New title', categoryId: '27' };
const WEEK = 7 * 24 * 3600 * 1000;

describe('videos', () => {
  test.each([
    { query: { id: 'adaEngine01,graceCobol1,nothing' }, expected: ['adaEngine01', 'graceCobol1'] },
    { query: { id: 'graceHide03,adaDraft_04' }, expected: ['adaDraft_04'] },
    { query: { myRating: 'like' }, expected: ['graceCobol1'] },
    { query: { myRating: 'dislike' }, expected: [] },
    { query: { chart: 'mostPopular', maxResults: '2' }, expected: ['graceCobol1', 'adaEngine01'] },
    {
      query: { chart: 'mostPopular', videoCategoryId: '28', regionCode: 'GB', maxResults: '1' },
      expected: ['adaEngine01'],
    },
  ])('are found by $query', async ({ query, expected }) => {
    expect(ids(await read('videos', { part: 'id', ...query } as Record<string, string>))).toEqual(expected);
  });

  test('have a brand partner that the owner links by handle and unlinks', async () => {
    const partner = async () => items(await read('videos', { part: 'brandPartner', id: 'adaEngine01' }))[0];
    const link = (brandPartner: object) => update('brandPartner', { id: 'adaEngine01', brandPartner });
    expect(await partner()).not.toHaveProperty('brandPartner');
    const { body } = await link({ channelHandle: '@RoyalSociety' });
    expect(body.brandPartner).toEqual({ channelId: expect.stringMatching(/^UC/) });
    expect(await partner()).toMatchObject({ brandPartner: body.brandPartner });
    expect(reason(await link({ channelHandle: '@nobody' }))).toEqual([404, 'channelNotFound']);
    expect((await link({})).body).not.toHaveProperty('brandPartner');
  });

  test('contain the requested parts', async () => {
    const [video] = items(
      await read('videos', { part: 'contentDetails,statistics,localizations', id: 'adaEngine01' }),
    );
    expect(video).toMatchObject({
      kind: 'youtube#video',
      contentDetails: { duration: 'PT15M', caption: 'true', licensedContent: false },
      statistics: { viewCount: '4200', likeCount: '210', commentCount: '9' },
      localizations: { de: { title: 'Wie die Analytische Maschine arbeitet' } },
    });
    expect(video).not.toHaveProperty('snippet');
  });

  test.each([
    { query: { id: 'adaEngine01', chart: 'mostPopular' }, error: [400, 'incompatibleParameters'] },
    { query: { id: 'adaEngine01', maxResults: '5' }, error: [400, 'incompatibleParameters'] },
    { query: { myRating: 'like', regionCode: 'GB' }, error: [400, 'incompatibleParameters'] },
    { query: { myRating: 'love' }, error: [400, 'invalidParameter'] },
    { query: { chart: 'leastPopular' }, error: [400, 'videoChartNotFound'] },
    { query: { chart: 'mostPopular', maxResults: '0' }, error: [400, 'invalidParameter'] },
    { query: { chart: 'mostPopular', maxResults: '51' }, error: [400, 'invalidParameter'] },
    { query: { chart: 'mostPopular', regionCode: 'England' }, error: [400, 'invalidRegionCode'] },
    { query: { part: 'fileDetails', id: 'graceCobol1' }, error: [403, 'forbidden'] },
  ])('refuse $query', async ({ query, error }) => {
    expect(reason(await read('videos', { part: 'id', ...query } as Record<string, string>))).toEqual(error);
  });

  test('lose omitted fields of an updated part and keep all other parts', async () => {
    const before = await show('adaEngine01');
    expect(before.snippet).toMatchObject({
      tags: expect.any(Array),
      defaultLanguage: 'en',
      defaultAudioLanguage: 'en-GB',
    });
    const { status, body } = await update('snippet', { id: 'adaEngine01', snippet: SNIPPET });
    expect([status, body.snippet.title]).toEqual([200, 'New title']);
    const after = await show('adaEngine01');
    for (const name of ['tags', 'defaultLanguage', 'defaultAudioLanguage'])
      expect(after.snippet).not.toHaveProperty(name);
    expect([after.snippet.description, after.status]).toEqual(['', before.status]);
  });

  test('reset omitted status fields to their defaults', async () => {
    expect((await show('adaDraft_04')).status).toMatchObject({
      privacyStatus: 'private',
      license: 'creativeCommon',
      embeddable: false,
      publishAt: expect.any(String),
    });
    await update('status', { id: 'adaDraft_04', status: { privacyStatus: 'private' } });
    expect((await show('adaDraft_04')).status).toEqual({
      uploadStatus: 'processed',
      privacyStatus: 'private',
      license: 'youtube',
      embeddable: true,
      publicStatsViewable: true,
      madeForKids: false,
    });
    await update('status', { id: 'adaDraft_04', status: { embeddable: false } });
    expect((await show('adaDraft_04')).status).toMatchObject({ privacyStatus: 'public', embeddable: false });
  });

  test('accept their own representation with read-only fields', async () => {
    for (const id of ['adaEngine01', 'adaDraft_04']) {
      const before = await show(id);
      const { status, body } = await update('snippet,status', before);
      expect([status, body]).toEqual([200, before]);
    }
  });

  test('become public at their publication time', async () => {
    expect(ids(await read('videos', { part: 'id', id: 'adaDraft_04' }, grace))).toEqual([]);
    await sandbox.clock.advance(WEEK + 60_000);
    const later = await approved('grace');
    const [video] = items(await read('videos', { part: 'status', id: 'adaDraft_04' }, later));
    expect(video.status.privacyStatus).toBe('public');
    expect(video.status).not.toHaveProperty('publishAt');
  });

  const publishAt = '2099-01-01T00:00:00Z';
  test.each([
    { title: 'a public video', id: 'adaDraft_04', status: { privacyStatus: 'public', publishAt } },
    {
      title: 'a video that was public',
      id: 'adaEngine01',
      status: { privacyStatus: 'private', publishAt },
    },
    {
      title: 'a date without a time',
      id: 'adaDraft_04',
      status: { privacyStatus: 'private', publishAt: '2099-01-01' },
    },
  ])('refuse to schedule $title', async ({ id, status }) => {
    expect(reason(await update('status', { id, status }))).toEqual([400, 'invalidPublishAt']);
  });

  test.each([
    { title: 'a missing category', snippet: { title: 'T' }, error: [400, 'invalidVideoMetadata'] },
    { title: 'a missing title', snippet: { categoryId: '27' }, error: [400, 'invalidVideoMetadata'] },
    { title: 'an empty title', snippet: { ...SNIPPET, title: ' ' }, error: [400, 'invalidTitle'] },
    { title: 'a long title', snippet: { ...SNIPPET, title: 'x'.repeat(101) }, error: [400, 'invalidTitle'] },
    {
      title: 'a title with angle brackets',
      snippet: { ...SNIPPET, title: '<b>' },
      error: [400, 'invalidTitle'],
    },
    {
      title: 'a description of 5001 bytes',
      snippet: { ...SNIPPET, description: `${'é'.repeat(2500)}x` },
      error: [400, 'invalidDescription'],
    },
    {
      title: 'tags of 501 characters',
      snippet: { ...SNIPPET, tags: ['x'.repeat(250), 'y'.repeat(250)] },
      error: [400, 'invalidTags'],
    },
    {
      title: 'an unknown category',
      snippet: { ...SNIPPET, categoryId: '999' },
      error: [400, 'invalidCategoryId'],
    },
    {
      title: 'a category that cannot be assigned to videos',
      snippet: { ...SNIPPET, categoryId: '18' },
      error: [400, 'invalidCategoryId'],
    },
    { title: 'a number as a title', snippet: { ...SNIPPET, title: 5 }, error: [400, 'badRequest'] },
  ])('refuse $title', async ({ snippet, error }) => {
    expect(reason(await update('snippet', { id: 'adaEngine01', snippet }))).toEqual(error);
    expect((await show('adaEngine01')).snippet.title).toBe('How the Analytical Engine works');
  });

  test('are changed and deleted only by their owner', async () => {
    const written = { id: 'adaEngine01', snippet: SNIPPET };
    expect(reason(await update('snippet', written, grace))).toEqual([403, 'forbidden']);
    expect(reason(await update('snippet', { ...written, id: 'nothing' }))).toEqual([404, 'videoNotFound']);
    const remove = (as: typeof grace) => data('DELETE', 'videos', { id: 'graceCobol1' }, { as });
    expect(reason(await data('DELETE', 'videos', { id: 'graceCobol1' }))).toEqual([403, 'forbidden']);
    expect((await remove(grace)).status).toBe(204);
    expect(reason(await remove(grace))).toEqual([404, 'videoNotFound']);
    expect(ids(await read('videos', { part: 'id', myRating: 'like' }))).toEqual([]);
  });

  test('accept localizations only together with a default language', async () => {
    const localizations = { fr: { title: 'Le métier', description: '' } };
    expect(reason(await update('localizations', { id: 'adaLoom__03', localizations }))).toEqual([
      400,
      'defaultLanguageNotSet',
    ]);
    const both = { id: 'adaLoom__03', snippet: { ...SNIPPET, defaultLanguage: 'en' }, localizations };
    expect((await update('snippet,localizations', both)).body.localizations).toEqual(localizations);
  });
});
