import type { CommentRecord, PostRecord, ReactionRecord } from './seed-activity.js';
import type { PersonRecord } from './seed-people.js';

const timeOf = (at: number) => ({ timestamp: at, date: new Date(at).toISOString() });

const presentActor = ({ id, firstName, lastName, title, company }: PersonRecord) => ({
  id,
  name: `${firstName} ${lastName}`,
  position: `${title} at ${company.name}`,
  // Those who react are known by their member id alone.
  linkedinUrl: `https://www.linkedin.com/in/${id}`,
});

function presentAuthor(author: PostRecord['author']) {
  if ('universalName' in author) {
    const { name, linkedinUrl, universalName } = author;
    return { type: 'company', name, linkedinUrl, universalName };
  }
  const { firstName, lastName, linkedinUrl, publicIdentifier } = author;
  return { type: 'profile', name: `${firstName} ${lastName}`, linkedinUrl, publicIdentifier };
}

export const presentPost = ({ id, linkedinUrl, content, author, postedAt, likes }: PostRecord) => ({
  id,
  linkedinUrl,
  content,
  contentAttributes: [],
  author: presentAuthor(author),
  article: null,
  postedAt: timeOf(postedAt),
  postImages: [],
  engagement: { likes, comments: 120, shares: 4, reactions: [{ type: 'LIKE', count: likes }] },
  socialContent: { shareUrl: linkedinUrl },
});

export const presentComment = ({ id, linkedinUrl, commentary, createdAt, post, actor }: CommentRecord) => ({
  id,
  linkedinUrl,
  commentary,
  createdAt: new Date(createdAt).toISOString(),
  createdAtTimestamp: createdAt,
  postId: post.id,
  actor: presentActor(actor),
  pinned: false,
  edited: false,
});

const postIdOf = (target: ReactionRecord['target']) => ('post' in target ? target.post.id : target.id);

export const presentReaction = ({ id, reactionType, target, actor }: ReactionRecord) => ({
  id,
  reactionType,
  postId: postIdOf(target),
  actor: presentActor(actor),
});

export const presentProfileReaction = ({ id, target, createdAt, actor }: ReactionRecord) => ({
  id,
  action: `${actor.firstName} ${actor.lastName} likes this`,
  postId: postIdOf(target),
  linkedinUrl: target.linkedinUrl,
  createdAt: new Date(createdAt).toISOString(),
  actor: presentActor(actor),
  post: 'content' in target ? presentPost(target) : null,
});
