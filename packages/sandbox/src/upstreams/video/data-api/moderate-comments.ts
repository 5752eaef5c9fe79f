import type { Outcome } from '../../../google/method.js';
import { forbidden, refuse } from '../refusals.js';
import { COMMENTING } from '../scopes.js';
import type { Comment, Moderation, World } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { idsOf } from './filters.js';

const MODERATED = ['heldForReview', 'likelySpam', 'rejected'] as const;
export const STANDINGS = ['published', ...MODERATED] as const;

export const moderationMethods = serviceMethods('Comment', '/comments/markAsSpam', {
  MarkAsSpam: { scopes: COMMENTING, parameters: { id: 'texts' }, needs: ['id'], handle: markAsSpam },
  SetModerationStatus: {
    path: '/comments/setModerationStatus',
    scopes: COMMENTING,
    parameters: { id: 'texts', moderationStatus: { words: STANDINGS }, banAuthor: 'flag' },
    needs: ['id', 'moderationStatus'],
    handle: setModerationStatus,
  },
});

function commentsOf(call: Call): Comment[] {
  const comments = idsOf(call).map((id) => call.world.comments.get(id));
  return comments.map((comment) => {
    if (comment !== undefined) return comment;
    throw refuse(404, 'commentNotFound', 'One or more of the specified comments cannot be found.');
  });
}

const ownerOf = ({ videos }: World, { videoId }: Comment): string | undefined =>
  videos.get(videoId)?.channelId;

// Spam reports hide a comment only if the video's owner sends them.
function markAsSpam(call: Call): Outcome {
  const { world, me } = call;
  for (const comment of commentsOf(call))
    if (ownerOf(world, comment) === me.id)
      world.comments.set(comment.id, { ...comment, moderation: 'likelySpam' });
  return { status: 204 };
}

function setModerationStatus(call: Call): Outcome {
  const { world, me, parameters } = call;
  const status = parameters.choice('moderationStatus', STANDINGS);
  if (parameters.flag('banAuthor') && status !== 'rejected')
    throw refuse(400, 'banWithoutReject', 'An author is banned with a comment that is rejected.');
  if (status === 'likelySpam')
    throw refuse(400, 'operationNotSupported', 'Only the service can mark a comment as likely spam.');
  const comments = commentsOf(call);
  if (comments.some((comment) => ownerOf(world, comment) !== me.id))
    throw forbidden('One or more of the comments cannot be moderated by the channel.');
  for (const { moderation: _, ...comment } of comments) {
    const standing = MODERATED.find((one) => one === status);
    world.comments.set(comment.id, standing === undefined ? comment : { ...comment, moderation: standing });
    if (parameters.flag('banAuthor'))
      world.unheard.set(me.id, new Set([...(world.unheard.get(me.id) ?? []), comment.authorId]));
  }
  return { status: 204 };
}

/**
 * Returns true if a channel may read a comment. Comments under moderation are visible only to their author and the
 * video's owner.
 */
export function isCommentVisible(comment: Comment, { world, me }: Call): boolean {
  return comment.moderation === undefined || [comment.authorId, ownerOf(world, comment)].includes(me.id);
}

/** Returns the moderation status of a new comment. Comments of banned people are rejected. */
export function standingOf(
  world: World,
  { videoId, authorId }: Pick<Comment, 'videoId' | 'authorId'>,
): { moderation?: Moderation } {
  const owner = world.videos.get(videoId)?.channelId ?? '';
  return world.unheard.get(owner)?.has(authorId) ? { moderation: 'rejected' } : {};
}
