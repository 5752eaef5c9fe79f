import { flag, ignored, NAMING, pick, record, text, textOf, within, word } from '../body.js';
import { refuse } from '../refusals.js';
import { MANAGING, VIEWING } from '../scopes.js';
import { type Fields, newLiveId, type Stream, timeOf, type World } from '../world.js';
import { OWNED_CHANNEL } from './call.js';
import { methodsOf, ownItems } from './owned-resource.js';
import { PAGED } from './resource.js';

const LONGEST_TITLE = 128;
const LONGEST_DESCRIPTION = 10_000;

/** Required fields of `cdn`, with their allowed values. */
const CDN: Readonly<Record<string, readonly string[]>> = {
  ingestionType: ['rtmp', 'dash', 'webrtc', 'hls'],
  resolution: ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p', 'variable'],
  frameRate: ['30fps', '60fps', 'variable'],
};

const BODY = record({
  ...NAMING,
  snippet: record({ title: text, description: text }, 'channelId publishedAt isDefaultStream'),
  cdn: record(
    { ...Object.fromEntries(Object.entries(CDN).map(([name, words]) => [name, word(...words)])) },
    'format ingestionInfo',
  ),
  contentDetails: record({ isReusable: flag, closedCaptionsIngestionUrl: ignored }),
  status: ignored,
});

export const liveStreamMethods = methodsOf<Stream>({
  service: 'LiveStream',
  path: '/liveStreams',
  kind: 'liveStream',
  makers: {
    snippet: ({ channelId, publishedAt, snippet }) => ({
      publishedAt: timeOf(publishedAt),
      channelId,
      ...snippet,
      isDefaultStream: false,
    }),
    cdn: ({ id, cdn }) => ({ ...cdn, ingestionInfo: ingestionOf(id) }),
    contentDetails: ({ contentDetails }) => contentDetails,
    status: ({ id }, { world }) => ({
      streamStatus: isActive(world, id) ? 'active' : 'ready',
      healthStatus: { status: isActive(world, id) ? 'good' : 'noData' },
    }),
  },
  reading: VIEWING,
  writing: MANAGING,
  ofNew: OWNED_CHANNEL,
  ofChanged: OWNED_CHANNEL,
  body: BODY,
  missing: 'liveStreamNotFound',
  itemsOf: ({ streams }) => streams,
  list: {
    parameters: { id: 'texts', mine: 'flag', ...PAGED, ...OWNED_CHANNEL },
    size: 5,
    find: (call) => ownItems(call, call.world.streams),
  },
  insert: ({ body, me, world }) => ({
    id: newLiveId(),
    channelId: me.id,
    publishedAt: world.now(),
    snippet: writtenSnippet(body),
    cdn: writtenCdn(body),
    contentDetails: { isReusable: true, ...pick(within(body, 'contentDetails'), ['isReusable']) },
  }),
  update({ body, parts, world }, stream) {
    if (parts.has('cdn') && isBound(world, stream.id))
      throw refuse(403, 'liveStreamModificationNotAllowed', 'A stream that is in use keeps its settings.');
    return {
      ...stream,
      ...(parts.has('snippet') ? { snippet: writtenSnippet(body) } : {}),
      ...(parts.has('cdn') ? { cdn: writtenCdn(body) } : {}),
    };
  },
  remove({ world }, { id }) {
    if (isBound(world, id))
      throw refuse(403, 'liveStreamDeletionNotAllowed', 'A stream that a broadcast is bound to stays.');
  },
});

const isBound = ({ broadcasts }: World, id: string): boolean =>
  [...broadcasts.values()].some(({ streamId, lifeCycle }) => streamId === id && lifeCycle !== 'complete');

/**
 * Returns true while an encoder sends video. The emulated encoder sends as soon as a broadcast is bound to the stream.
 */
export const isActive = isBound;

function ingestionOf(id: string): Fields {
  return {
    streamName: id.slice(0, 20),
    ingestionAddress: 'rtmp://a.rtmp.youtube.com/live2',
    backupIngestionAddress: 'rtmp://b.rtmp.youtube.com/live2?backup=1',
  };
}

function writtenSnippet(body: Fields): Fields {
  const snippet = within(body, 'snippet');
  const title = textOf(snippet, 'title') ?? '';
  const description = textOf(snippet, 'description') ?? '';
  if (title.trim() === '') throw refuse(400, 'titleRequired', 'The stream must have a title.');
  if (title.length > LONGEST_TITLE) throw refuse(400, 'invalidTitle', 'The title is too long.');
  if (description.length > LONGEST_DESCRIPTION)
    throw refuse(400, 'invalidDescription', 'The description is too long.');
  return { title, description };
}

function writtenCdn(body: Fields): Fields {
  const cdn = within(body, 'cdn');
  const absent = Object.keys(CDN).find((name) => textOf(cdn, name) === undefined);
  if (absent !== undefined) throw refuse(400, `${absent}Required`, `The stream must say its ${absent}.`);
  return pick(cdn, Object.keys(CDN));
}
