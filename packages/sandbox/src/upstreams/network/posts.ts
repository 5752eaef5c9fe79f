import { invalid, notFound } from './api-error.js';
import { companyByUrl } from './companies.js';
import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { personByUrl } from './profiles.js';
import { contains, type Query, slugOf } from './query.js';
import type { CommentRecord, PersonRecord, PostRecord, ReactionRecord } from './seed.js';
import { isWithin, POSTED_LIMITS, type World } from './world.js';

const PROFILE = ['profile', 'profileId', 'profilePublicIdentifier'];
const PAGE = 'page paginationToken postedLimit';
const OF_PROFILE = `${PROFILE.join(' ')} ${PAGE}`;

export const postEndpoints: readonly Endpoint[] = [
  ['/linkedin/post', 'url', getPost],
  ['/linkedin/company-posts', `company companyUniversalName companyId ${PAGE}`, listCompanyPosts],
  ['/linkedin/profile-posts', OF_PROFILE, listProfilePosts],
  ['/linkedin/profile-comments', OF_PROFILE, listProfileComments],
  ['/linkedin/profile-reactions', OF_PROFILE, listProfileReactions],
  ['/linkedin/post-comments', `post sortBy ${PAGE}`, listPostComments],
  ['/linkedin/post-reactions', 'post page', listPostReactions],
  ['/linkedin/comment-reactions', 'url page', listCommentReactions],
  [
    '/linkedin/post-search',
    `search authorsCompany company companyId group profile profileId sortBy ${PAGE}`,
    searchPosts,
  ],
];

function findPost({ posts }: World, url: string): PostRecord {
  const id = /(\d{19})/.exec(url)?.[1];
  const post = posts.find((one) => one.id === id);
  if (post === undefined) throw notFound('Post');
  return post;
}

function findProfile(query: Query, world: World): PersonRecord {
  const name = PROFILE.map((one) => query.text(one)).find((one) => one !== undefined);
  if (name === undefined) throw invalid(`One of ${PROFILE.join(', ')} is required`);
  const person = personByUrl(world, name);
  if (person === undefined) throw notFound('Profile');
  return person;
}

function getPost(query: Query, world: World): Output {
  const post = findPost(world, query.required('url'));
  return { element: presentPost(post), entityId: post.id, cost: 1 };
}

function listCompanyPosts(query: Query, world: World): Output {
  const name = query.text('company') ?? query.text('companyUniversalName') ?? query.text('companyId');
  if (name === undefined) throw invalid('One of company, companyUniversalName and companyId is required');
  const company = companyByUrl(world, name);
  if (company === undefined) throw notFound('Company');
  return listPosts(query, world, company.id);
}

function listProfilePosts(query: Query, world: World): Output {
  return listPosts(query, world, findProfile(query, world).id);
}

function listPosts(query: Query, world: World, authorId: string): Output {
  const period = query.choice('postedLimit', POSTED_LIMITS);
  const matches = world.posts.filter(
    ({ author, postedAt }) => author.id === authorId && isWithin(postedAt, period, world.now()),
  );
  return pageOf(matches.map(presentPost), query, { size: 50, token: { of: `posts ${authorId}` } });
}

function listProfileComments(query: Query, world: World): Output {
  const person = findProfile(query, world);
  const period = query.choice('postedLimit', POSTED_LIMITS);
  const matches = world.comments.filter(
    ({ actor, createdAt }) => actor.id === person.id && isWithin(createdAt, period, world.now()),
  );
  const token = { of: `comments ${person.id} ${period ?? ''}`, isRequired: true };
  return pageOf(matches.map(presentComment), query, { size: 100, token });
}

function listProfileReactions(query: Query, world: World): Output {
  const person = findProfile(query, world);
  const matches = world.reactions.filter(
    ({ actor, target }) => actor.id === person.id && 'content' in target,
  );
  const token = { of: `reactions ${person.id}`, isRequired: true };
  return pageOf(matches.map(presentProfileReaction), query, { size: 100, token });
}

function listPostComments(query: Query, world: World): Output {
  const { id } = findPost(world, query.required('post'));
  const matches = world.comments.filter(({ post }) => post.id === id);
  return pageOf(matches.map(presentComment), query, { size: 100, token: { of: `post comments ${id}` } });
}

function listPostReactions(query: Query, world: World): Output {
  return listReactions(query, world, findPost(world, query.required('post')));
}

function listCommentReactions(query: Query, world: World): Output {
  const reference = /comment(?:%3A|:)(.*)/i.exec(query.required('url'))?.[1] ?? '';
  const id = reference
    .split(',')
    .findLast((part) => /^\d{19}/.test(part))
    ?.slice(0, 19);
  const comment = world.comments.find((one) => one.id === id);
  if (comment === undefined) throw notFound('Comment');
  return listReactions(query, world, comment);
}

function listReactions(query: Query, { reactions }: World, { id }: PostRecord | CommentRecord): Output {
  const matches = reactions.filter(({ target }) => target.id === id);
  return pageOf(matches.map(presentReaction), query, { size: 100 });
}

function searchPosts(query: Query, world: World): Output {
  const period = query.choice('postedLimit', POSTED_LIMITS);
  const authors = ['company', 'companyId', 'profile', 'profileId'].flatMap((name) =>
    query.list(name).map(slugOf),
  );
  const group = query.list('group').map(slugOf);
  const employers = query.list('authorsCompany').map(slugOf);
  const matches = world.posts
    .filter(({ content }) => contains(content, query.text('search') ?? ''))
    .filter(({ author }) => authors.length === 0 || authors.some((name) => isAuthor(author, name)))
    .filter(({ groupId }) => group.length === 0 || (groupId !== undefined && group.includes(groupId)))
    .filter(({ author }) => employers.length === 0 || employers.some((name) => worksAt(author, name)))
    .filter(({ postedAt }) => isWithin(postedAt, period, world.now()));
  const isByDate = query.choice('sortBy', ['relevance', 'date']) === 'date';
  const sorted = matches.toSorted((one, other) =>
    isByDate ? other.postedAt - one.postedAt : one.content.localeCompare(other.content),
  );
  return pageOf(sorted.map(presentPost), query, { size: 50 });
}

function isAuthor(author: PostRecord['author'], name: string): boolean {
  const slug = 'publicIdentifier' in author ? author.publicIdentifier : author.universalName;
  return author.id === name || slug === name;
}

const worksAt = (author: PostRecord['author'], name: string): boolean =>
  'company' in author && isAuthor(author.company, name);

const timeOf = (at: number) => ({ timestamp: at, date: new Date(at).toISOString() });

const presentActor = ({ id, firstName, lastName, title, company }: PersonRecord) => ({
  id,
  name: `${firstName} ${lastName}`,
  position: `${title} at ${company.name}`,
  // Profile URL of a person who reacted. It contains the member id instead of the public name, as in the real service.
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

const presentPost = ({ id, linkedinUrl, content, author, postedAt, likes }: PostRecord) => ({
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

const presentComment = ({ id, linkedinUrl, commentary, createdAt, post, actor }: CommentRecord) => ({
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

const presentReaction = ({ id, reactionType, target, actor }: ReactionRecord) => ({
  id,
  reactionType,
  postId: postIdOf(target),
  actor: presentActor(actor),
});

const presentProfileReaction = ({ id, target, createdAt, actor }: ReactionRecord) => ({
  id,
  action: `${actor.firstName} ${actor.lastName} likes this`,
  postId: postIdOf(target),
  linkedinUrl: target.linkedinUrl,
  createdAt: new Date(createdAt).toISOString(),
  actor: presentActor(actor),
  post: 'content' in target ? presentPost(target) : null,
});
