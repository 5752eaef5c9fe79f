import type { Comment, Fields } from '../world.js';
import type { Call } from './call.js';
import { presentComment, repliesOf } from './comment-parts.js';
import { type PartMakers, presentResource } from './resource.js';

/** So many answers come with their thread; all of them are in the list of comments. */
const SHOWN_REPLIES = 5;

export const THREAD_MAKERS: PartMakers<Comment> = {
  snippet: (thread, call) => ({
    channelId: call.world.videos.get(thread.videoId)?.channelId,
    videoId: thread.videoId,
    topLevelComment: presentComment(thread, withSnippets(call)),
    canReply: true,
    totalReplyCount: repliesOf(thread.id, call).length,
    isPublic: true,
  }),
  replies(thread, call) {
    const replies = repliesOf(thread.id, call).slice(-SHOWN_REPLIES);
    if (replies.length === 0) return undefined;
    return { comments: replies.map((reply) => presentComment(reply, withSnippets(call))) };
  },
};

// The parts that are asked for are those of the thread; a comment within it is always whole.
const withSnippets = (call: Call): Call => ({ ...call, parts: new Set(['snippet']) });

export function presentThread(thread: Comment, call: Call): Fields {
  return presentResource(thread, { kind: 'commentThread', makers: THREAD_MAKERS, call });
}
