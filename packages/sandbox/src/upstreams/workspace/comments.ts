import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.js';
import { invalid, notFound } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { blockById } from './lookup.js';
import { listPage, pagingShapes } from './paging.js';
import { presentComment } from './present-comment.js';
import { readQuery } from './query-parameters.js';
import { richText, richTextShape } from './rich-text.js';
import { canonicalId, tagged, uuid } from './shape.js';
import type { CommentRecord, Parent } from './state.js';

const parentShape = tagged({ page_id: uuid, block_id: uuid });

export function addComments(endpoints: Endpoints): void {
  endpoints.add('POST', '/comments', createComment);
  endpoints.add('GET', '/comments', listComments);
  endpoints.add('GET', '/comments/:comment_id', async (call) => {
    const comment = call.state.comments.get(call.id('comment_id'));
    if (comment === undefined) throw notFound('comment', call.id('comment_id'));
    return presentComment(comment, await call.clientName());
  });
}

async function createComment(call: Call): Promise<unknown> {
  call.checkBody({ parent: parentShape, discussion_id: uuid, rich_text: richTextShape }, ['rich_text']);
  const { body, state } = call;
  if ((body.parent === undefined) === (body.discussion_id === undefined)) {
    throw invalid(
      'body failed validation: exactly one of body.parent and body.discussion_id should be defined.',
    );
  }
  const thread = body.discussion_id === undefined ? newThread(call) : knownThread(call);
  const comment: CommentRecord = { ...state.stamp(call.bot), ...thread, richText: richText(body.rich_text) };
  state.comments.set(comment.id, comment);
  return presentComment(comment, await call.clientName());
}

interface Thread {
  readonly parent: Parent;
  readonly discussionId: string;
}

function newThread({ body, state }: Call): Thread {
  const given = isObject(body.parent) ? body.parent : {};
  const id = canonicalId(String(given.page_id ?? given.block_id));
  const { kind } = blockById(state, id);
  if (given.page_id !== undefined && kind !== 'page') throw notFound('page', id);
  return { parent: { type: kind === 'page' ? 'page_id' : 'block_id', id }, discussionId: randomUUID() };
}

function knownThread({ body, state }: Call): Thread {
  const discussionId = canonicalId(String(body.discussion_id));
  const first = [...state.comments.values()].find((comment) => comment.discussionId === discussionId);
  if (first === undefined) throw notFound('discussion', discussionId);
  return { parent: first.parent, discussionId };
}

async function listComments(call: Call): Promise<unknown> {
  const paging = readQuery(call, { block_id: uuid, ...pagingShapes }, ['block_id']);
  const id = canonicalId(String(paging.block_id));
  blockById(call.state, id);
  const name = await call.clientName();
  return listPage(
    [...call.state.comments.values()].filter(({ parent }) => parent.id === id),
    {
      type: 'comment',
      paging,
      requestId: call.requestId,
      idOf: (comment) => comment.id,
      present: (comment) => presentComment(comment, name),
    },
  );
}
