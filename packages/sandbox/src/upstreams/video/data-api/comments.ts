import type { Outcome } from '../../../google/method.js';
import { refuse } from '../refusals.js';
import { COMMENTING } from '../scopes.js';
import type { Comment } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { COMMENT_MAKERS, presentComment, repliesOf, TEXT_FORMAT } from './comment-parts.js';
import { idsOf, oneFilter, refuseBeside } from './filters.js';
import { visibleVideo } from './find-video.js';
import { listPage, PAGED_COMMENTS } from './list-page.js';
import { isShown } from './moderate-comments.js';
import { partNames } from './resource.js';

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
  if (filter === 'id') refuseBeside(call, filter, PAGING);
  const found = filter === 'id' ? namedComments(call) : answersTo(call);
  const size = filter === 'id' ? found.length : call.parameters.integer('maxResults', 20);
  return {
    body: listPage(call, found, {
      kind: 'commentListResponse',
      size,
      isOneWay: true,
      present: (comment) => presentComment(comment, call),
    }),
  };
}

function namedComments(call: Call): Comment[] {
  return idsOf(call)
    .flatMap((id) => call.world.comments.get(id) ?? [])
    .filter((comment) => isShown(comment, call));
}

function answersTo(call: Call): Comment[] {
  const parent = call.world.comments.get(call.parameters.text('parentId') ?? '');
  if (parent === undefined)
    throw refuse(404, 'commentNotFound', 'One or more of the specified comments cannot be found.');
  visibleVideo(call, parent.videoId);
  return repliesOf(parent.id, call);
}
