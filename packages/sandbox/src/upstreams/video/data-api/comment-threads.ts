import type { Outcome } from '../../../google/method.js';
import { forbidden, refuse } from '../refusals.js';
import { COMMENTING } from '../scopes.js';
import type { Comment } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { TEXT_FORMAT } from './comment-parts.js';
import { idsOf, oneFilter, refuseBeside } from './filters.js';
import { visibleVideo } from './find-video.js';
import { insertThread, THREAD_BODY } from './insert-comment-thread.js';
import { listPage, PAGED_COMMENTS } from './list-page.js';
import { isShown, STANDINGS } from './moderate-comments.js';
import { partNames } from './resource.js';
import { presentThread, THREAD_MAKERS } from './thread-parts.js';

const FILTERS = ['videoId', 'allThreadsRelatedToChannelId', 'channelId', 'postId', 'id'] as const;
const NOT_BESIDE_ID = ['maxResults', 'order', 'pageToken', 'searchTerms', 'moderationStatus'];
const PARTS = partNames(THREAD_MAKERS);

export const commentThreadMethods = serviceMethods('CommentThread', '/commentThreads', {
  List: {
    scopes: COMMENTING,
    parameters: {
      videoId: 'text',
      allThreadsRelatedToChannelId: 'text',
      channelId: 'text',
      postId: 'text',
      id: 'texts',
      moderationStatus: { words: STANDINGS },
      order: { words: ['orderUnspecified', 'time', 'relevance'] },
      searchTerms: 'text',
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
  if (filter === 'id') refuseBeside(call, filter, NOT_BESIDE_ID);
  const found = filter === 'id' ? namedThreads(call) : sorted(call, searched(call, THREADS[filter](call)));
  const size = filter === 'id' ? found.length : parameters.integer('maxResults', 20);
  return {
    body: listPage(call, found, {
      kind: 'commentThreadListResponse',
      size,
      isOneWay: true,
      present: (thread) => presentThread(thread, call),
    }),
  };
}

const isThread = ({ parentId }: Comment): boolean => parentId === undefined;

function namedThreads(call: Call): Comment[] {
  return idsOf(call).map((id) => {
    const found = call.world.comments.get(id);
    if (found !== undefined && isThread(found) && isShown(found, call)) return found;
    throw refuse(
      404,
      'commentThreadNotFound',
      'One or more of the specified comment threads cannot be found.',
    );
  });
}

const THREADS = {
  // Comments on channels and on posts are no more, or not here.
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

// What waits for a decision is the owner's to see.
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
