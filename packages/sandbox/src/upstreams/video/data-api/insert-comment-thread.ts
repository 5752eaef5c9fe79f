import type { Outcome } from '../../../google/method.js';
import { ignored, NAMING, record, text, textOf, within } from '../body.js';
import { newCommentId } from '../identifiers.js';
import { forbidden, refuse } from '../refusals.js';
import type { Call } from './call.js';
import { visibleVideo } from './find-video.js';
import { standingOf } from './moderate-comments.js';
import { presentThread } from './thread-parts.js';

export const THREAD_BODY = record({
  ...NAMING,
  snippet: record(
    {
      channelId: text,
      videoId: text,
      topLevelComment: record({
        ...NAMING,
        snippet: record({ textOriginal: text, channelId: text, videoId: text, textDisplay: ignored }),
      }),
    },
    'canReply totalReplyCount isPublic',
  ),
  replies: ignored,
});

const LONGEST_TEXT = 10_000;

export function insertThread(call: Call): Outcome {
  const { world, me, body } = call;
  const snippet = within(body, 'snippet');
  const [videoId, channelId] = [textOf(snippet, 'videoId'), textOf(snippet, 'channelId')];
  if (videoId === undefined && channelId === undefined)
    throw refuse(400, 'channelOrVideoIdMissing', 'The request must name a channel or a video.');
  const said = textOf(within(within(snippet, 'topLevelComment'), 'snippet'), 'textOriginal') ?? '';
  if (said.trim() === '') throw refuse(400, 'commentTextRequired', 'The comment has no text.');
  if (said.length > LONGEST_TEXT) throw refuse(400, 'commentTextTooLong', 'The comment is too long.');
  if (channelId !== undefined && !world.channels.has(channelId))
    throw refuse(404, 'channelNotFound', 'The channel cannot be found.');
  if (videoId === undefined) throw metadata('Comments belong to a video.');
  const video = visibleVideo(call, videoId);
  if (channelId !== undefined && channelId !== video.channelId)
    throw metadata('The video does not belong to the channel.');
  if (!video.takesComments) throw forbidden('The comment thread cannot be created.');
  const thread = {
    id: newCommentId(),
    authorId: me.id,
    videoId: video.id,
    ...standingOf(world, { videoId: video.id, authorId: me.id }),
    text: said,
    publishedAt: world.now(),
    likes: 0,
  };
  world.comments.set(thread.id, thread);
  return { body: presentThread(thread, call) };
}

const metadata = (message: string) => refuse(400, 'invalidCommentThreadMetadata', message);
