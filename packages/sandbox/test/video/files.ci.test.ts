import { describe, expect, test } from 'vitest';
import {
  ADA,
  ada,
  data,
  GRACE,
  grace,
  items,
  playlist,
  png,
  read,
  reason,
  sandbox,
  sendFile,
  useVideo,
} from './setup.js';

useVideo();

const SRT = '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 01:02:03,004\nWorld\n';
const JPEG = Buffer.from('ffd8ffe000040000ffc0000b080078007801', 'hex');

/** Maximum size of a thumbnail in bytes. */
const MOST_BYTES = 50 * 1024 ** 2;

describe('an image upload', () => {
  test('sets the thumbnail of an own video', async () => {
    const hasOne = async (as = ada) =>
      items(await read('videos', { part: 'contentDetails', id: 'adaEngine01' }, as))[0].contentDetails
        .hasCustomThumbnail;
    expect([await hasOne(), await hasOne(grace)]).toEqual([false, undefined]);
    const query = { videoId: 'adaEngine01' };
    const { status, body } = await sendFile('thumbnails/set', query, { file: png(1280, 720) });
    expect([status, body.kind]).toEqual([200, 'youtube#thumbnailSetResponse']);
    expect(body.items[0].default.url).toContain('adaEngine01');
    expect(body.items[0].uhd).toMatchObject({ width: 3840, height: 2160 });
    expect(await hasOne()).toBe(true);
    const sent = { file: png(1, 1), as: grace };
    expect(reason(await sendFile('thumbnails/set', query, sent))).toEqual([403, 'forbidden']);
  });

  test('becomes the channel banner with the next update of the channel', async () => {
    const { body } = await sendFile('channelBanners/insert', {}, { file: JPEG, type: 'image/jpeg' });
    expect(body.kind).toBe('youtube#channelBannerResource');
    const put = (as = ada, id = ADA) =>
      data(
        'PUT',
        'channels',
        { part: 'brandingSettings' },
        { as, body: { id, brandingSettings: { channel: {}, image: { bannerExternalUrl: body.url } } } },
      );
    expect(reason(await put(grace, GRACE))).toEqual([400, 'brandingValidationError']);
    expect((await put()).body.brandingSettings.image).toEqual({ bannerExternalUrl: body.url });
  });

  test('sets one square image per playlist, which only the owner reads, changes or deletes', async () => {
    const snippet = { playlistId: playlist('adaMathematics'), type: 'hero' };
    const query = { part: 'snippet' };
    const send = (size: [number, number], about: object = { snippet }, method: 'POST' | 'PUT' = 'POST') =>
      sendFile('playlistImages', query, { file: png(...size), about, method });
    const parent = { ...query, parent: snippet.playlistId };
    expect(reason(await send([300, 200]))).toEqual([400, 'invalidImage']);
    expect(reason(await send([300, 300], { snippet: {} }))).toEqual([400, 'playlistIdRequired']);
    const made = await send([300, 300]);
    expect(made.body.snippet).toEqual({ ...snippet, width: 300, height: 300 });
    expect(reason(await send([300, 300]))).toEqual([400, 'playlistImageExists']);
    const { id } = made.body;
    expect((await send([400, 400], { id, snippet }, 'PUT')).body.snippet.width).toBe(400);
    expect(items(await read('playlistImages', parent))).toMatchObject([{ id, snippet: { height: 400 } }]);
    expect(reason(await read('playlistImages', parent, grace))).toEqual([403, 'forbidden']);
    expect(reason(await data('DELETE', 'playlistImages', { id }, { as: grace }))).toEqual([403, 'forbidden']);
    expect((await data('DELETE', 'playlistImages', { id })).status).toBe(204);
    expect(items(await read('playlistImages', parent))).toEqual([]);
    expect(reason(await data('DELETE', 'playlistImages', { id }))).toEqual([404, 'playlistImageNotFound']);
  });

  test('is deleted together with its playlist', async () => {
    const about = { snippet: { playlistId: playlist('adaMathematics'), type: 'hero' } };
    const made = await sendFile('playlistImages', { part: 'snippet' }, { file: png(300, 300), about });
    const { id } = made.body;
    await data('DELETE', 'playlists', { id: about.snippet.playlistId });
    expect(reason(await data('DELETE', 'playlistImages', { id }))).toEqual([404, 'playlistImageNotFound']);
  });

  test('sets a watermark that only the channel owner can set or remove', async () => {
    const send = (channelId: string) =>
      sendFile(
        'watermarks/set',
        { channelId },
        {
          file: png(150, 150),
          about: { position: { type: 'corner', cornerPosition: 'topRight' } },
        },
      );
    expect((await send(ADA)).status).toBe(204);
    expect(reason(await send(GRACE))).toEqual([403, 'forbidden']);
    expect(reason(await send('UCnobody'))).toEqual([404, 'channelNotFound']);
    expect((await data('POST', 'watermarks/unset', { channelId: ADA })).status).toBe(204);
  });

  test.each([
    [{ file: 'no picture' }, [400, 'invalidImage']],
    [{ file: png(0, 10) }, [400, 'invalidImage']],
    [{ file: '' }, [400, 'mediaBodyRequired']],
    [{ file: 'text', type: 'text/plain' }, [400, 'badContent']],
    [{ file: Buffer.concat([png(10, 10), Buffer.alloc(MOST_BYTES)]) }, [413, 'uploadTooLarge']],
  ])('is refused for invalid content: %#', async (sent, expected) => {
    expect(reason(await sendFile('thumbnails/set', { videoId: 'adaEngine01' }, sent))).toEqual(expected);
  });

  test('requires exactly two parts in a multipart body', async () => {
    const headers = { 'content-type': 'multipart/related; boundary=other' };
    const wrong = { file: png(10, 10), about: {}, headers };
    expect(reason(await sendFile('thumbnails/set', { videoId: 'adaEngine01' }, wrong))).toEqual([
      400,
      'badContent',
    ]);
  });
});

describe('caption tracks', () => {
  const snippet = { videoId: 'adaEngine01', language: 'fr', name: 'À la main' };
  const query = { part: 'snippet' };
  const send = (about: object, more: object = {}) =>
    sendFile('captions', query, { file: SRT, type: 'text/plain', about, ...more });
  const download = async (id: string, search = '', as = ada) => {
    const url = `${sandbox.upstream('video').baseUrl}/youtube/v3/captions/${id}${search}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${as.token}` } });
    return [response.status, await response.text()];
  };

  test('are uploaded, downloaded in every format, updated and deleted', async () => {
    const { body } = await send({ snippet: { ...snippet, isDraft: true } });
    expect(body.snippet).toMatchObject({ ...snippet, isDraft: true, trackKind: 'standard' });
    const { id } = body;
    expect(await download(id)).toEqual([200, SRT]);
    expect(await download(id, '?alt=media&tfmt=vtt')).toEqual([
      200,
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\n\n00:00:03.000 --> 01:02:03.004\nWorld\n',
    ]);
    expect(await download(id, '?tfmt=sbv')).toEqual([
      200,
      '0:00:01.000,0:00:02.500\nHello\n\n0:00:03.000,1:02:03.004\nWorld\n',
    ]);
    expect(await download(id, '?tfmt=srt')).toEqual([200, SRT]);
    const changed = await send({ id, snippet: { isDraft: false } }, { method: 'PUT', file: 'Other' });
    expect(changed.body.snippet.isDraft).toBe(false);
    expect(await download(id)).toEqual([200, 'Other']);
    await data('PUT', 'captions', query, { body: { id, snippet: { isDraft: true } } });
    expect(await download(id)).toEqual([200, 'Other']);
    expect((await data('DELETE', 'captions', { id })).status).toBe(204);
    expect((await download(id))[0]).toBe(404);
  });

  test.each([
    [{ snippet: { language: 'fr', name: '' } }, {}, [400, 'invalidMetadata']],
    [{ snippet: { ...snippet, name: 'x'.repeat(151) } }, {}, [400, 'nameTooLong']],
    [{ snippet: { ...snippet, videoId: 'nothing' } }, {}, [404, 'videoNotFound']],
    [{ snippet: { ...snippet, videoId: 'graceCobol1' } }, {}, [403, 'forbidden']],
    [{ snippet: { ...snippet, language: 'de', name: '' } }, {}, [409, 'captionExists']],
    [{ snippet }, { file: '' }, [400, 'contentRequired']],
    [{ id: 'nothing', snippet: {} }, { method: 'PUT' }, [404, 'captionNotFound']],
  ])('are refused with %j', async (about, more, expected) => {
    expect(reason(await send(about, more))).toEqual(expected);
  });

  test('are readable only by the owner of the video and not translated', async () => {
    const { id } = (await send({ snippet })).body;
    expect((await download(id, '', grace))[0]).toBe(403);
    for (const search of ['?tlang=de', '?tfmt=ttml', '?alt=proto'])
      expect((await download(id, search))[0]).toBe(400);
    expect((await download(id, '?tlang=fr'))[0]).toBe(200);
  });
});

describe('a video upload', () => {
  const about = { snippet: { title: 'New', categoryId: '28' }, status: { privacyStatus: 'unlisted' } };
  const query = { part: 'snippet,status' };

  const beginThumbnail = async () => {
    const path = '../../upload/youtube/v3/thumbnails/set';
    const begin = await data('POST', path, { videoId: 'adaEngine01', uploadType: 'resumable' });
    return begin.headers.get('location') ?? '';
  };
  const put = (at: string, file: Buffer | string, range?: string) =>
    sendFile(at, {}, { file, method: 'PUT', headers: range === undefined ? {} : { 'content-range': range } });
  const queryStatus = (at: string) => put(at, '', 'bytes */*');

  test('creates the video with its metadata and refuses other content types', async () => {
    const { body } = await sendFile('videos', query, { file: 'frames', type: 'video/mp4', about });
    expect(body).toMatchObject(about);
    expect(items(await read('videos', { ...query, id: body.id }, grace))).toMatchObject([{ id: body.id }]);
    const wrong = { file: 'frames', type: 'image/png', about };
    expect(reason(await sendFile('videos', query, wrong))).toEqual([400, 'badContent']);
  });

  const PIECE = Buffer.alloc(256 * 1024, 'f');
  const TOTAL = PIECE.length + 3;
  const beginVideo = async (headers: Record<string, string> = {}) => {
    const path = '../../upload/youtube/v3/videos';
    const begin = await ada.call(
      'POST',
      `/youtube/v3/${path}?${new URLSearchParams({ ...query, uploadType: 'resumable' })}`,
      { body: about, headers },
    );
    return { ...begin, at: begin.headers.get('location') ?? '' };
  };

  test('accepts chunks in order, resumes from the last byte and repeats its response', async () => {
    const { at, status } = await beginVideo({ 'x-upload-content-length': String(TOTAL) });
    expect([status, at]).toEqual([200, expect.stringContaining('upload_id=')]);
    const first = await put(at, PIECE, `bytes 0-${PIECE.length - 1}/${TOTAL}`);
    expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${PIECE.length - 1}`]);
    expect((await put(at, '', `bytes */${TOTAL}`)).headers.get('range')).toBe(`bytes=0-${PIECE.length - 1}`);
    const end = `bytes ${PIECE.length}-${TOTAL - 1}/${TOTAL}`;
    for (const range of ['bytes 4-6/7', `bytes ${PIECE.length}-${TOTAL - 1}/${TOTAL - 1}`])
      expect(reason(await put(at, 'mes', range))).toEqual([400, 'badRequest']);
    const last = await put(at, 'mes', end);
    expect([last.status, last.body]).toMatchObject([200, about]);
    expect((await put(at, '', `bytes */${TOTAL}`)).body).toEqual(last.body);
    expect(reason(await put(at, 'mes', end))).toEqual([404, 'notFound']);
  });

  test.each([
    { title: 'a middle chunk that is no multiple of 256 KiB', sent: 'fra', range: 'bytes 0-2/6' },
    { title: 'another size than announced', announced: '7', sent: 'frames', range: 'bytes 0-5/6' },
  ])('refuses $title', async ({ announced, sent, range }) => {
    const { at } = await beginVideo(announced === undefined ? {} : { 'x-upload-content-length': announced });
    expect(reason(await put(at, sent, range))).toEqual([400, 'badRequest']);
  });

  test.each([
    { title: 'its type', name: 'x-upload-content-type', value: 'image/png', code: [400, 'badContent'] },
    {
      title: 'its size',
      name: 'x-upload-content-length',
      value: '137438953473',
      code: [413, 'uploadTooLarge'],
    },
    { title: 'an invalid size', name: 'x-upload-content-length', value: 'some', code: [400, 'badRequest'] },
  ])('is refused for $title before its content is sent', async ({ name, value, code }) => {
    expect(reason(await beginVideo({ [name]: value }))).toEqual(code);
  });

  test.each([
    { title: 'a chunk', file: Buffer.alloc(MOST_BYTES + 1), range: `bytes 0-${MOST_BYTES}/*` },
    { title: 'the announced size', file: Buffer.alloc(1), range: `bytes 0-0/${MOST_BYTES + 1}` },
    { title: 'the whole body', file: Buffer.alloc(MOST_BYTES + 1) },
  ])('is refused above the maximum size of $title', async ({ file, range }) => {
    const at = await beginThumbnail();
    expect(reason(await put(at, file, range))).toEqual([413, 'uploadTooLarge']);
    expect((await queryStatus(at)).headers.get('range')).toBeNull();
  });

  test('is dropped as the oldest of more than 256 open uploads', async () => {
    await sandbox.dials('video', { quotaPerDay: null });
    const first = await beginThumbnail();
    expect((await queryStatus(first)).status).toBe(308);
    for (let begun = 0; begun < 256; begun += 1) await beginThumbnail();
    expect(reason(await queryStatus(first))).toEqual([404, 'notFound']);
  });

  test('is refused for invalid metadata before its content is sent', async () => {
    const resumable = { ...query, uploadType: 'resumable' };
    const begin = (body: object, of = resumable) =>
      data('POST', '../../upload/youtube/v3/videos', of, { body });
    expect(reason(await begin({ nothing: 1 }))).toEqual([400, 'badRequest']);
    expect(reason(await begin(about, { ...resumable, part: 'nothing' }))).toEqual([400, 'unknownPart']);
  });
});
