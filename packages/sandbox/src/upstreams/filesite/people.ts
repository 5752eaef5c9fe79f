import { uuidFrom } from '../../identifiers.js';
import type { Call, Endpoint, Outcome } from './call.js';
import { pathOf } from './item-endpoints.js';
import { findLibrary, personalSite } from './library.js';
import { listPage, select } from './odata.js';
import { presentDrive } from './present.js';
import { READ_FILES } from './scopes.js';

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
