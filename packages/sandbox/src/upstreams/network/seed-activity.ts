import { around, type CompanyRecord } from './seed-companies.js';
import type { PersonRecord } from './seed-people.js';

export interface PostRecord {
  readonly id: string;
  readonly linkedinUrl: string;
  readonly content: string;
  readonly author: PersonRecord | CompanyRecord;
  readonly groupId: string | undefined;
  readonly postedAt: number;
  readonly likes: number;
}

export interface CommentRecord {
  readonly id: string;
  readonly linkedinUrl: string;
  readonly commentary: string;
  readonly post: PostRecord;
  readonly actor: PersonRecord;
  readonly createdAt: number;
}

export interface ReactionRecord {
  readonly id: string;
  readonly reactionType: string;
  /** What it is on. */
  readonly target: PostRecord | CommentRecord;
  readonly actor: PersonRecord;
  readonly createdAt: number;
}

const HOUR_MS = 3_600_000;
const POSTS = 165;
const COMMENTS = 240;
const REACTIONS = 240;
const TOPICS = ['compilers', 'remote work', 'hiring engineers', 'data quality'];
const REACTION_TYPES = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST'];

interface Activity {
  readonly posts: readonly PostRecord[];
  readonly comments: readonly CommentRecord[];
  readonly reactions: readonly ReactionRecord[];
}

/** What people and companies did: enough that every list of the first person has a second page. */
export function seededActivity(
  people: readonly PersonRecord[],
  companies: readonly CompanyRecord[],
  madeAt: number,
): Activity {
  const posts = Array.from({ length: POSTS }, (_, index) => postOf(index, { people, companies, madeAt }));
  const comments = Array.from({ length: COMMENTS }, (_, index) =>
    commentOf(index, { people, posts, madeAt }),
  );
  const reactions = Array.from({ length: REACTIONS }, (_, index) =>
    reactionOf(index, { people, posts, comments, madeAt }),
  );
  return { posts, comments, reactions };
}

interface Actors {
  readonly people: readonly PersonRecord[];
  readonly madeAt: number;
}

// In turn: one of the first person, one of the first company, one of anybody in a group.
function postOf(
  index: number,
  { people, companies, madeAt }: Actors & { readonly companies: readonly CompanyRecord[] },
): PostRecord {
  const id = `7250000000000000${String(index).padStart(3, '0')}`;
  const kind = index % 3;
  return {
    id,
    linkedinUrl: `https://www.linkedin.com/feed/update/urn:li:activity:${id}`,
    content: `Thoughts on ${around(TOPICS, index)}, part ${index + 1}.`,
    author: kind === 1 ? around(companies, 0) : around(people, kind === 0 ? 0 : index),
    groupId: kind === 2 ? String(500 + (index % 12)) : undefined,
    postedAt: madeAt - (index + 1) * 6 * HOUR_MS,
    likes: REACTIONS - index,
  };
}

// In turn: one of anybody on the first post, one of the first person on any post.
function commentOf(
  index: number,
  { people, posts, madeAt }: Actors & { readonly posts: readonly PostRecord[] },
): CommentRecord {
  const isOnFirst = index % 2 === 0;
  const post = around(posts, isOnFirst ? 0 : index);
  const id = `7350000000000000${String(index).padStart(3, '0')}`;
  return {
    id,
    linkedinUrl: `${post.linkedinUrl}?commentUrn=urn%3Ali%3Acomment%3A${id}`,
    commentary: `Comment ${index + 1} on ${around(TOPICS, index)}.`,
    post,
    actor: around(people, isOnFirst ? index / 2 : 0),
    createdAt: madeAt - (index + 1) * 3 * HOUR_MS,
  };
}

// In turn: anybody on the first post, the first person on any post, and, less often, anybody on the first comment.
function reactionOf(
  index: number,
  { people, posts, comments, madeAt }: Actors & Omit<Activity, 'reactions'>,
): ReactionRecord {
  const isOfFirst = index % 2 === 1;
  const first = index % 20 === 0 ? around(comments, 0) : around(posts, 0);
  return {
    id: `reaction-${index}`,
    reactionType: around(REACTION_TYPES, index),
    target: isOfFirst ? around(posts, index) : first,
    actor: around(people, isOfFirst ? 0 : index / 2),
    createdAt: madeAt - (index + 1) * 2 * HOUR_MS,
  };
}
