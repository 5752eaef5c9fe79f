import { uuidFrom } from '../../identifiers.js';
import { invalidRequest, itemNotFound } from './api-error.js';
import { type Call, type Endpoint, type Outcome, READ_FILES, READ_SITES } from './call.js';
import { findLibrary, pathOf, personalSite } from './item-endpoints.js';
import { listPage, select } from './odata.js';
import { presentDrive, presentList, presentSite } from './present.js';
import { findSite, HOSTNAME, type SiteRecord } from './state.js';

const LIST_OPTIONS = ['$top', '$select', '$skiptoken'];

const list = (
  call: Call,
  fragment: string,
  values: readonly Readonly<Record<string, unknown>>[],
): Outcome => ({
  status: 200,
  body: listPage(values, { query: call.query, url: call.url, context: call.context(fragment) }),
});

const one = (call: Call, site: SiteRecord): Outcome => ({
  status: 200,
  body: { '@odata.context': call.context('sites/$entity'), ...select(presentSite(site), call.query) },
});

function followed(call: Call): Outcome {
  const sites = [...call.state.sites.values()].filter(({ isFollowed }) => isFollowed);
  return list(call, 'sites', sites.map(presentSite));
}

/** Without a search the list is empty; a search knows indexed sites only. */
function search(call: Call): Outcome {
  const text = call.query.get('search')?.toLowerCase();
  const order = call.query.get('$orderby');
  if (order !== null && !/^createdDateTime( asc| desc)?$/.test(order))
    throw invalidRequest('Sites can be sorted by createdDateTime only.');
  const found = [...call.state.sites.values()].filter(
    ({ isIndexed, displayName, description }) =>
      isIndexed &&
      text !== undefined &&
      (text === '*' || `${displayName} ${description}`.toLowerCase().includes(text)),
  );
  return list(call, 'sites', found.map(presentSite));
}

function byPath(call: Call, host: string, path: string): Outcome {
  const wanted = decodeURIComponent(path).replace(/\/$/, '').toLowerCase();
  const found = [...call.state.sites.values()].find((site) => site.path.toLowerCase() === wanted);
  if (host.toLowerCase() !== HOSTNAME || found === undefined) throw itemNotFound();
  return one(call, found);
}

export const siteEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: /^\/me\/followedSites$/, scopes: READ_SITES, options: LIST_OPTIONS, handle: followed },
  {
    verb: 'GET',
    path: /^\/sites$/,
    scopes: READ_SITES,
    options: [...LIST_OPTIONS, '$orderby'],
    handle: search,
  },
  {
    verb: 'GET',
    path: /^\/sites\/([^/:]+)$/,
    scopes: READ_SITES,
    options: ['$select'],
    handle: (call, id = '') => one(call, findSite(call.state, id)),
  },
  {
    verb: 'GET',
    path: /^\/sites\/([^/:]+):(\/[^:]+)$/,
    scopes: READ_SITES,
    options: ['$select'],
    handle: (call, host = '', path = '') => byPath(call, host, path),
  },
  {
    verb: 'GET',
    path: /^\/sites\/([^/:]+)\/drives$/,
    scopes: READ_SITES,
    options: LIST_OPTIONS,
    handle: (call, id = '') =>
      list(call, 'drives', [presentDrive(findSite(call.state, id), call.state.person)]),
  },
  {
    verb: 'GET',
    path: /^\/sites\/([^/:]+)\/lists$/,
    scopes: READ_SITES,
    options: LIST_OPTIONS,
    handle: (call, id = '') => list(call, 'lists', [presentList(findSite(call.state, id))]),
  },
];

function me(call: Call): Outcome {
  const { id, name, email } = call.state.person;
  const [givenName = '', surname = ''] = name.split(' ');
  const user = {
    businessPhones: [],
    displayName: name,
    givenName,
    jobTitle: null,
    mail: email,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
    surname,
    userPrincipalName: email,
    id: uuidFrom(id),
  };
  return {
    status: 200,
    body: { '@odata.context': call.context('users/$entity'), ...select(user, call.query) },
  };
}

function drive(call: Call, library: string): Outcome {
  const presented = presentDrive(findLibrary(call.state, library), call.state.person);
  return {
    status: 200,
    body: { '@odata.context': call.context('drives/$entity'), ...select(presented, call.query) },
  };
}

export const peopleEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: /^\/me$/, scopes: ['User.Read'], options: ['$select'], handle: me },
  {
    verb: 'GET',
    path: /^\/me\/drives$/,
    scopes: READ_FILES,
    options: ['$top', '$select', '$skiptoken'],
    handle(call) {
      const values = [presentDrive(personalSite(call.state), call.state.person)];
      return {
        status: 200,
        body: listPage(values, { query: call.query, url: call.url, context: call.context('drives') }),
      };
    },
  },
  {
    verb: 'GET',
    path: pathOf(''),
    scopes: READ_FILES,
    options: ['$select'],
    handle: (call, library = '') => drive(call, library),
  },
];
