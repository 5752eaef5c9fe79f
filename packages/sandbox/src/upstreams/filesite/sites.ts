import { uuidFrom } from '../../identifiers.js';
import { invalidRequest, itemNotFound } from './api-error.js';
import { type Call, type Endpoint, entity, list, type Outcome, READ_FILES, READ_SITES } from './call.js';
import { findLibrary, pathOf, personalSite } from './item-endpoints.js';
import { presentDrive, presentList, presentSite } from './present.js';
import { findSite, HOSTNAME, type SiteRecord } from './state.js';

const LIST_OPTIONS = ['$top', '$select', '$skiptoken'];

const one = (call: Call, site: SiteRecord): Outcome => entity(call, 'sites/$entity', presentSite(site));

function followed(call: Call): Outcome {
  const sites = [...call.state.sites.values()].filter(({ isFollowed }) => isFollowed);
  return list(call, 'sites', sites.map(presentSite));
}

/** Searches indexed sites. Without a `search` parameter, the result is empty. */
function search(call: Call): Outcome {
  const text = call.query.get('search')?.toLowerCase();
  const order = call.query.get('$orderby');
  if (order !== null && !/^createdDateTime( asc| desc)?$/.test(order))
    throw invalidRequest('Sites can be sorted by createdDateTime only.');
  const matches = [...call.state.sites.values()].filter(
    ({ isIndexed, displayName, description }) =>
      isIndexed &&
      text !== undefined &&
      (text === '*' || `${displayName} ${description}`.toLowerCase().includes(text)),
  );
  return list(call, 'sites', matches.map(presentSite));
}

function byPath(call: Call, host: string, path: string): Outcome {
  const wanted = decodeURIComponent(path).replace(/\/$/, '').toLowerCase();
  const match = [...call.state.sites.values()].find((site) => site.path.toLowerCase() === wanted);
  if (host.toLowerCase() !== HOSTNAME || match === undefined) throw itemNotFound();
  return one(call, match);
}

const read = (path: RegExp, handle: Endpoint['handle'], options = LIST_OPTIONS): Endpoint => ({
  verb: 'GET',
  path,
  scopes: READ_SITES,
  options,
  handle,
});

export const siteEndpoints: readonly Endpoint[] = [
  read(/^\/me\/followedSites$/, followed),
  read(/^\/sites$/, search, [...LIST_OPTIONS, '$orderby']),
  read(/^\/sites\/([^/:]+)$/, (call, id = '') => one(call, findSite(call.state, id)), ['$select']),
  read(/^\/sites\/([^/:]+):(\/[^:]+)$/, (call, host = '', path = '') => byPath(call, host, path), [
    '$select',
  ]),
  read(/^\/sites\/([^/:]+)\/drives$/, (call, id = '') =>
    list(call, 'drives', [presentDrive(findSite(call.state, id), call.state.person)]),
  ),
  read(/^\/sites\/([^/:]+)\/lists$/, (call, id = '') =>
    list(call, 'lists', [presentList(findSite(call.state, id))]),
  ),
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
  return entity(call, 'users/$entity', user);
}

export const peopleEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: /^\/me$/, scopes: ['User.Read'], options: ['$select'], handle: me },
  {
    verb: 'GET',
    path: /^\/me\/drives$/,
    scopes: READ_FILES,
    options: LIST_OPTIONS,
    handle: (call) => list(call, 'drives', [presentDrive(personalSite(call.state), call.state.person)]),
  },
  {
    verb: 'GET',
    path: pathOf(''),
    scopes: READ_FILES,
    options: ['$select'],
    handle: (call, library = '') =>
      entity(call, 'drives/$entity', presentDrive(findLibrary(call.state, library), call.state.person)),
  },
];
