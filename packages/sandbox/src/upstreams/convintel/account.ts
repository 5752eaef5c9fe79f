import { type Call, type Endpoint, ok } from './call.js';
import type { Theme, User } from './organization.js';

/** The organization itself, its users and its topic triggers. */
export const accountEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: '/me', handle: ({ organization }) => ok(presentOrganization(organization)) },
  { verb: 'GET', path: '/getUsers', handle: ({ organization }) => ok(presentUsers(organization.users)) },
  {
    verb: 'GET',
    path: '/getTriggers',
    handle: ({ organization }) => ok(organization.themes.map(presentTheme)),
  },
];

function presentOrganization({ id, region }: Call['organization']) {
  const isEuropean = region === 'eu';
  return {
    id,
    name: isEuropean ? 'Analytical Engines GmbH' : 'Analytical Engines Ltd',
    domain: isEuropean ? 'engines.example.de' : 'engines.example.com',
    crmIntegration: 'salesforce',
    calendarType: 'google',
    address: isEuropean ? 'Invalidenstraße 1, Berlin' : '12 St James’s Square, London',
  };
}

function presentUsers(users: readonly User[]) {
  return { data: users, links: { first: null, last: null, prev: null, next: null } };
}

function presentTheme({ id, name, topics }: Theme) {
  return {
    id,
    theme: name,
    topics: topics.map((topic) => ({ id: topic.id, topic: topic.name, triggers: topic.triggers })),
  };
}
