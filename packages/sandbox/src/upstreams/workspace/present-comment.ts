import { PERSON_USERS } from './identity.js';
import { presentParent, presentStamp } from './present.js';
import type { CommentRecord } from './state.js';

export function presentComment(comment: CommentRecord, botName: string) {
  const { last_edited_by: _, ...stamp } = presentStamp(comment);
  return {
    object: 'comment',
    id: comment.id,
    parent: presentParent(comment.parent),
    discussion_id: comment.discussionId,
    ...stamp,
    rich_text: comment.richText,
    display_name: displayName(comment, botName),
  };
}

function displayName({ createdBy, customName }: CommentRecord, botName: string) {
  if (customName !== undefined) return { type: 'custom', resolved_name: customName };
  const person = PERSON_USERS.find((user) => user.id === createdBy);
  return person === undefined
    ? { type: 'integration', resolved_name: botName }
    : { type: 'user', resolved_name: person.name };
}
