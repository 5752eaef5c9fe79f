import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { ignored, NAMING, record, text, textOf, within } from '../body.js';
import { forbidden, refuse } from '../refusals.js';
import { COMMENTING } from '../scopes.js';
import { type Comment, type Fields, newCommentId } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { presentComment, repliesOf, TEXT_FORMAT } from './comment-parts.js';
import { readCommentText } from './comments.js';
import { idsOf, oneFilter, refuseWith } from './filters.js';
import { visibleVideo } from './find-video.js';
import { isCommentVisible, STANDINGS, standingOf } from './moderate-comments.js';
import { listPage, PAGED_COMMENTS, type PartMakers, partNames, presentResource } from './resource.js';

const THREAD_BODY = record({
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

function insertThread(call: Call): Outcome {
  const { world, me, body } = call;
  const snippet = within(body, 'snippet');
  const [videoId, channelId] = [textOf(snippet, 'videoId'), textOf(snippet, 'channelId')];
  if (videoId === undefined && channelId === undefined)
    throw refuse(400, 'channelOrVideoIdMissing', 'The request must name a channel or a video.');
  const commentText = readCommentText(within(within(snippet, 'topLevelComment'), 'snippet'));
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
    text: commentText,
    publishedAt: world.now(),
    likes: 0,
  };
  world.comments.set(thread.id, thread);
  return { body: presentThread(thread, call) };
}

const metadata = (message: string) => refuse(400, 'invalidCommentThreadMetadata', message);

/** Maximum number of replies inside a comment thread. The comment list contains all replies. */
const MAX_REPLIES = 5;

const THREAD_MAKERS: PartMakers<Comment> = {
  snippet: (thread, call) => ({
    channelId: call.world.videos.get(thread.videoId)?.channelId,
    videoId: thread.videoId,
    topLevelComment: presentComment(thread, withSnippets(call)),
    canReply: true,
    totalReplyCount: repliesOf(thread.id, call).length,
    isPublic: true,
  }),
  replies(thread, call) {
    const replies = repliesOf(thread.id, call).slice(-MAX_REPLIES);
    if (replies.length === 0) return undefined;
    return { comments: replies.map((reply) => presentComment(reply, withSnippets(call))) };
  },
};

// Comments inside a thread always contain the full snippet, because the requested parts apply only to the thread.
const withSnippets = (call: Call): Call => ({ ...call, parts: new Set(['snippet']) });

function presentThread(thread: Comment, call: Call): Fields {
  return presentResource(thread, { kind: 'commentThread', makers: THREAD_MAKERS, call });
}

const FILTERS = ['videoId', 'allThreadsRelatedToChannelId', 'channelId', 'postId', 'id'] as const;
const NOT_WITH_ID = ['maxResults', 'order', 'pageToken', 'searchTerms', 'moderationStatus'];
const PARTS = partNames(THREAD_MAKERS);

export const commentThreadMethods = serviceMethods('CommentThread', '/commentThreads', {
  List: {
    scopes: COMMENTING,
    parameters: {
      ...rules('text', 'videoId allThreadsRelatedToChannelId channelId postId searchTerms'),
      id: 'texts',
      moderationStatus: { words: STANDINGS },
      order: { words: ['orderUnspecified', 'time', 'relevance'] },
      ...TEXT_FORMAT,
      ...PAGED_COMMENTS,
    },
    parts: PARTS,
    handle: listThreads,
  },
  Insert: { scopes: COMMENTING, parts: PARTS, body: THREAD_BODY, handle: insertThread },
});

function listThreads(call: Call): Outcome {
  const { parameters } = call;
  const filter = oneFilter(call, FILTERS);
  if (filter === 'id') refuseWith(call, filter, NOT_WITH_ID);
  const threads = filter === 'id' ? threadsById(call) : sorted(call, searched(call, THREADS[filter](call)));
  const size = filter === 'id' ? threads.length : parameters.integer('maxResults', 20);
  return {
    body: listPage(call, threads, {
      kind: 'commentThreadListResponse',
      size,
      isOneWay: true,
      present: (thread) => presentThread(thread, call),
    }),
  };
}

const isThread = ({ parentId }: Comment): boolean => parentId === undefined;

function threadsById(call: Call): Comment[] {
  return idsOf(call).map((id) => {
    const thread = call.world.comments.get(id);
    if (thread !== undefined && isThread(thread) && isCommentVisible(thread, call)) return thread;
    throw refuse(
      404,
      'commentThreadNotFound',
      'One or more of the specified comment threads cannot be found.',
    );
  });
}

const THREADS = {
  // Comments on channels no longer exist in the real service. Comments on posts are not emulated.
  channelId: (): Comment[] => [],
  postId: (): Comment[] => [],
  videoId(call: Call): Comment[] {
    const video = visibleVideo(call, call.parameters.text('videoId') ?? '');
    if (!video.takesComments)
      throw refuse(403, 'commentsDisabled', 'The video identified with the request has disabled comments.');
    checkModeration(call, video.channelId);
    return [...call.world.comments.values()].filter((one) => isThread(one) && one.videoId === video.id);
  },
  allThreadsRelatedToChannelId(call: Call): Comment[] {
    const { world, parameters } = call;
    const id = parameters.text('allThreadsRelatedToChannelId') ?? '';
    if (!world.channels.has(id)) throw refuse(404, 'channelNotFound', 'The channel cannot be found.');
    checkModeration(call, id);
    return [...world.comments.values()].filter(
      (one) => isThread(one) && world.videos.get(one.videoId)?.channelId === id,
    );
  },
};

// Only the video's owner may list comments that wait for moderation.
function checkModeration({ parameters, me }: Call, channelId: string): void {
  const status = parameters.text('moderationStatus');
  if (status !== undefined && status !== 'published' && channelId !== me.id) throw forbidden();
}

function searched({ parameters }: Call, threads: Comment[]): Comment[] {
  const status = parameters.text('moderationStatus') ?? 'published';
  const terms = (parameters.text('searchTerms') ?? '').toLowerCase();
  return threads.filter(
    ({ text, moderation = 'published' }) => moderation === status && text.toLowerCase().includes(terms),
  );
}

function sorted({ parameters }: Call, threads: Comment[]): Comment[] {
  const order = parameters.choice('order', ['time', 'relevance']) ?? 'time';
  const byTime = (a: Comment, b: Comment) => b.publishedAt - a.publishedAt;
  return threads.sort((a, b) => (order === 'relevance' ? b.likes - a.likes || byTime(a, b) : byTime(a, b)));
}
