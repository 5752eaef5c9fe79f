import type { Outcome } from '../../../google/method.js';
import { each, ignored, NAMING, record, text, textOf, within } from '../body.js';
import { forbidden, refuse } from '../refusals.js';
import { COMMENTING } from '../scopes.js';
import { type Comment, type Fields, newCommentId } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { COMMENT_MAKERS, presentComment, repliesOf, TEXT_FORMAT } from './comment-parts.js';
import { idsOf, oneFilter, refuseWith, requiredText } from './filters.js';
import { visibleVideo } from './find-video.js';
import { isCommentVisible, standingOf } from './moderate-comments.js';
import { listPage, PAGED_COMMENTS, partNames } from './resource.js';

const BODY = record({
  ...NAMING,
  snippet: record({
    ...each(text, 'textOriginal parentId channelId videoId'),
    textDisplay: ignored,
  }),
});
const WRITTEN = { scopes: COMMENTING, parts: partNames(COMMENT_MAKERS), body: BODY } as const;

export const commentWritingMethods = serviceMethods('Comment', '/comments', {
  Insert: { ...WRITTEN, handle: insertReply },
  Update: { ...WRITTEN, handle: updateComment },
  Delete: { scopes: COMMENTING, parameters: { id: 'text' }, needs: ['id'], handle: deleteComment },
});

function findComment({ world }: Call, id: string | undefined): Comment {
  const comment = world.comments.get(id ?? '');
  if (comment === undefined) throw refuse(404, 'commentNotFound', 'The specified comment cannot be found.');
  return comment;
}

export function readCommentText(snippet: Fields): string {
  const commentText = textOf(snippet, 'textOriginal') ?? '';
  if (commentText.trim() === '') throw refuse(400, 'commentTextRequired', 'The comment has no text.');
  if (commentText.length > 10_000) throw refuse(400, 'commentTextTooLong', 'The comment is too long.');
  return commentText;
}

function insertReply(call: Call): Outcome {
  const { world, me, body } = call;
  const parentId = textOf(within(body, 'snippet'), 'parentId');
  if (parentId === undefined) throw refuse(400, 'parentCommentIdRequired', 'The reply names no comment.');
  const parent = world.comments.get(parentId);
  if (parent === undefined || parent.parentId !== undefined)
    throw refuse(404, 'parentCommentNotFound', 'The specified parent comment cannot be found.');
  const reply: Comment = {
    id: `${parent.id}.${newCommentId()}`,
    parentId: parent.id,
    authorId: me.id,
    videoId: parent.videoId,
    ...standingOf(world, { videoId: parent.videoId, authorId: me.id }),
    text: readCommentText(within(body, 'snippet')),
    publishedAt: world.now(),
    likes: 0,
  };
  world.comments.set(reply.id, reply);
  return { body: presentComment(reply, call) };
}

function updateComment(call: Call): Outcome {
  const { world, me, body } = call;
  const comment = findComment(call, textOf(body, 'id'));
  if (comment.authorId !== me.id) throw forbidden();
  const changed = { ...comment, text: readCommentText(within(body, 'snippet')) };
  world.comments.set(changed.id, changed);
  return { body: presentComment(changed, call) };
}

function deleteComment(call: Call): Outcome {
  const { world, me } = call;
  const comment = findComment(call, requiredText(call, 'id'));
  const owner = world.videos.get(comment.videoId)?.channelId;
  if (comment.authorId !== me.id && owner !== me.id) throw forbidden();
  for (const { id, parentId } of [...world.comments.values()])
    if (id === comment.id || parentId === comment.id) world.comments.delete(id);
  return { status: 204 };
}

const FILTERS = ['parentId', 'id'] as const;
const PAGING = ['maxResults', 'pageToken'];

export const commentMethods = serviceMethods('Comment', '/comments', {
  List: {
    scopes: COMMENTING,
    parameters: { parentId: 'text', id: 'texts', ...TEXT_FORMAT, ...PAGED_COMMENTS },
    parts: partNames(COMMENT_MAKERS),
    handle: listComments,
  },
});

function listComments(call: Call): Outcome {
  const filter = oneFilter(call, FILTERS);
  if (filter === 'id') refuseWith(call, filter, PAGING);
  const comments = filter === 'id' ? commentsById(call) : repliesTo(call);
  const size = filter === 'id' ? comments.length : call.parameters.integer('maxResults', 20);
  return {
    body: listPage(call, comments, {
      kind: 'commentListResponse',
      size,
      isOneWay: true,
      present: (comment) => presentComment(comment, call),
    }),
  };
}

function commentsById(call: Call): Comment[] {
  return idsOf(call)
    .flatMap((id) => call.world.comments.get(id) ?? [])
    .filter((comment) => isCommentVisible(comment, call));
}

function repliesTo(call: Call): Comment[] {
  const parent = call.world.comments.get(call.parameters.text('parentId') ?? '');
  if (parent === undefined)
    throw refuse(404, 'commentNotFound', 'One or more of the specified comments cannot be found.');
  visibleVideo(call, parent.videoId);
  return repliesOf(parent.id, call);
}
