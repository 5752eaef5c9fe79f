import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.js';
import { existing } from '../../refusal.js';
import { ApiError, invalid, notFound } from './api-error.js';
import { type Call, type Endpoints, uploadedFile } from './call.js';
import { storedFile } from './file-shape.js';
import { PERSON_USERS } from './identity.js';
import { blockById } from './lookup.js';
import { inlineOf } from './markdown.js';
import { listPage, pagingShapes, readQuery } from './paging.js';
import { presentParent, presentStamp, type View } from './present.js';
import { type RichText, richText, richTextShape } from './rich-text.js';
import { canonicalId, list, object, oneOf, type Shape, tagged, text, uuid } from './shape.js';
import type { CommentRecord, Parent } from './state.js';
import { assertEditable, assertOutOfTrash } from './trash.js';

const parentShape = tagged({ page_id: uuid, block_id: uuid });

export function addComments(endpoints: Endpoints): void {
  endpoints.add('POST', '/comments', createComment);
  endpoints.add('GET', '/comments', listComments);
  endpoints.add('GET', '/comments/:comment_id', async (call) => {
    return presentComment(commentOf(call), call, await call.clientName());
  });
  endpoints.add('PATCH', '/comments/:comment_id', updateComment);
  endpoints.add('DELETE', '/comments/:comment_id', deleteComment);
}

const commentOf = ({ state, id }: Call): CommentRecord =>
  existing(state.comments.get(id('comment_id')), () => notFound('comment', id('comment_id')));

/** Returns a comment for a change. Rejects comments of other users, because integrations may change only their own. */
function ownComment(call: Call): CommentRecord {
  const comment = commentOf(call);
  if (comment.createdBy !== call.bot)
    throw new ApiError(403, 'restricted_resource', 'Only the author of a comment may change it.');
  return comment;
}

async function updateComment(call: Call): Promise<unknown> {
  call.checkBody({ rich_text: richTextShape, markdown });
  const comment = ownComment(call);
  comment.richText = textOf(call);
  call.state.touch(comment, call.bot);
  return presentComment(comment, call, await call.clientName());
}

function deleteComment(call: Call): unknown {
  const { id } = ownComment(call);
  call.state.comments.delete(id);
  return { object: 'comment', id, request_id: call.requestId };
}

function textOf({ body }: Call): RichText[] {
  if ((body.rich_text === undefined) === (body.markdown === undefined))
    throw invalid(
      'body failed validation: exactly one of body.rich_text and body.markdown should be defined.',
    );
  return richText(body.rich_text ?? inlineOf(String(body.markdown)));
}

const markdown = text({ min: 1, max: 2000 });
const displayName: Shape = (value, path) =>
  isObject(value) && value.type !== 'custom'
    ? object({ type: oneOf('integration', 'user', 'custom') }, ['type'])(value, path)
    : object({ type: oneOf('custom'), custom: object({ name: text({ min: 1 }) }, ['name']) }, ['custom'])(
        value,
        path,
      );

const attachmentsShape = list(
  object({ file_upload_id: uuid, type: oneOf('file_upload') }, ['file_upload_id']),
  { max: 3 },
);

function attachedUploads({ state, body }: Call): string[] {
  const given = Array.isArray(body.attachments) ? body.attachments : [];
  return given.map(({ file_upload_id: id }) => uploadedFile(state, String(id)).id);
}

async function createComment(call: Call): Promise<unknown> {
  call.checkBody({
    parent: parentShape,
    discussion_id: uuid,
    rich_text: richTextShape,
    markdown,
    display_name: displayName,
    attachments: attachmentsShape,
  });
  const { body, state } = call;
  if ((body.parent === undefined) === (body.discussion_id === undefined)) {
    throw invalid(
      'body failed validation: exactly one of body.parent and body.discussion_id should be defined.',
    );
  }
  const attachments = attachedUploads(call);
  const thread = body.discussion_id === undefined ? newThread(call) : knownThread(call);
  const { custom } = isObject(body.display_name) ? body.display_name : {};
  const comment: CommentRecord = {
    ...state.stamp(call.bot),
    ...thread,
    richText: textOf(call),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(isObject(custom) ? { customName: String(custom.name) } : {}),
  };
  state.comments.set(comment.id, comment);
  return presentComment(comment, call, await call.clientName());
}

interface Thread {
  readonly parent: Parent;
  readonly discussionId: string;
}

function newThread({ body, state }: Call): Thread {
  const given = isObject(body.parent) ? body.parent : {};
  const id = canonicalId(String(given.page_id ?? given.block_id));
  const { kind, record } = blockById(state, id);
  if (given.page_id !== undefined && kind !== 'page') throw notFound('page', id);
  assertEditable(state, record);
  return { parent: { type: kind === 'page' ? 'page_id' : 'block_id', id }, discussionId: randomUUID() };
}

function knownThread({ body, state }: Call): Thread {
  const discussionId = canonicalId(String(body.discussion_id));
  const first = [...state.comments.values()].find((comment) => comment.discussionId === discussionId);
  if (first === undefined) throw notFound('discussion', discussionId);
  assertOutOfTrash(state, first);
  return { parent: first.parent, discussionId };
}

async function listComments(call: Call): Promise<unknown> {
  const paging = readQuery(call, { block_id: uuid, ...pagingShapes }, ['block_id']);
  const id = canonicalId(String(paging.block_id));
  blockById(call.state, id);
  const name = await call.clientName();
  return listPage(
    call,
    [...call.state.comments.values()].filter(({ parent }) => parent.id === id),
    {
      type: 'comment',
      paging,
      idOf: (comment) => comment.id,
      present: (comment) => presentComment(comment, call, name),
    },
  );
}

function presentComment(comment: CommentRecord, { state }: Pick<View, 'state'>, botName: string) {
  const { last_edited_by: _, ...stamp } = presentStamp(comment);
  return {
    object: 'comment',
    id: comment.id,
    parent: presentParent(comment.parent),
    discussion_id: comment.discussionId,
    ...stamp,
    rich_text: comment.richText,
    display_name: displayNameOf(comment, botName),
    ...(comment.attachments && {
      attachments: comment.attachments.map((id) => ({
        category: categoryOf(state.fileUploads.get(id)?.contentType ?? ''),
        file: storedFile({ id }),
      })),
    }),
  };
}

function categoryOf(contentType: string): string {
  const [kind = '', subtype] = contentType.split('/');
  if (subtype === 'pdf') return 'pdf';
  return ['audio', 'image', 'video'].includes(kind) ? kind : 'productivity';
}

function displayNameOf({ createdBy, customName }: CommentRecord, botName: string) {
  if (customName !== undefined) return { type: 'custom', resolved_name: customName };
  const person = PERSON_USERS.find((user) => user.id === createdBy);
  return person === undefined
    ? { type: 'integration', resolved_name: botName }
    : { type: 'user', resolved_name: person.name };
}
