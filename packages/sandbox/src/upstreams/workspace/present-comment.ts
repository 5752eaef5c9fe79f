import { storedFile } from './file-shape.js';
import { PERSON_USERS } from './identity.js';
import { presentParent, presentStamp, type View } from './present.js';
import type { CommentRecord } from './state.js';

export function presentComment(comment: CommentRecord, { state }: Pick<View, 'state'>, botName: string) {
  const { last_edited_by: _, ...stamp } = presentStamp(comment);
  return {
    object: 'comment',
    id: comment.id,
    parent: presentParent(comment.parent),
    discussion_id: comment.discussionId,
    ...stamp,
    rich_text: comment.richText,
    display_name: displayName(comment, botName),
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

function displayName({ createdBy, customName }: CommentRecord, botName: string) {
  if (customName !== undefined) return { type: 'custom', resolved_name: customName };
  const person = PERSON_USERS.find((user) => user.id === createdBy);
  return person === undefined
    ? { type: 'integration', resolved_name: botName }
    : { type: 'user', resolved_name: person.name };
}
