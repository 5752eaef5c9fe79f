import { invalid, notFound } from './api-error.js';
import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { contains, type Query, slugOf } from './query.js';

export const groupEndpoints: readonly Endpoint[] = [
  ['/linkedin/group', 'groupId url', getGroup],
  ['/linkedin/group-search', 'search page', searchGroups],
];

const COUNT = 12;

const GROUPS = Array.from({ length: COUNT }, (_, index) => ({
  id: String(500 + index),
  name: `${index % 2 === 0 ? 'Compiler' : 'Engine'} builders ${index + 1}`,
  linkedinUrl: `https://www.linkedin.com/groups/${500 + index}`,
  members: 1000 + index * 250,
  summary: 'A group for those who build.',
  picture: null,
}));

function getGroup(query: Query): Output {
  const name = query.text('groupId') ?? query.text('url');
  if (name === undefined) throw invalid('One of groupId and url is required');
  const group = GROUPS.find(({ id }) => id === slugOf(name));
  if (group === undefined) throw notFound('Group');
  return { element: group, entityId: group.id, cost: 1 };
}

function searchGroups(query: Query): Output {
  const search = query.required('search');
  const matches = GROUPS.filter(({ name }) => contains(name, search)).map(({ linkedinUrl, ...group }) => ({
    ...group,
    url: linkedinUrl,
    members: `${group.members} members`,
  }));
  return pageOf(matches, query, { size: 10 });
}
