import { uuidFrom } from '../../identifiers.js';
import { invalidRequest } from './api-error.js';
import { type Call, type Endpoint, type Outcome, READ_FILES, WRITE_FILES } from './call.js';
import { endpointAt, type ItemHandler } from './item-endpoints.js';
import { present } from './items.js';
import { findItem, HOSTNAME, type ItemRecord, type SiteRecord } from './state.js';

const LINK_TYPES = ['view', 'edit', 'embed'];
const LINK_SCOPES = ['anonymous', 'organization', 'users'];

function createLink(call: Call, _site: SiteRecord, item: ItemRecord): Outcome {
  const { type = 'view', scope = 'organization', ...rest } = call.json();
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalidRequest(`The property '${unknown}' is not supported for a link.`);
  if (!LINK_TYPES.includes(String(type)) || !LINK_SCOPES.includes(String(scope)))
    throw invalidRequest('The type or scope of the link is not valid.');
  const known = item.links?.find((link) => link.type === type && link.scope === scope);
  const link = known ?? { type: String(type), scope: String(scope) };
  if (known === undefined) item.links = [...(item.links ?? []), link];
  const body = { '@odata.context': call.context('permission'), ...presentLink(item, link) };
  return { status: known === undefined ? 201 : 200, body };
}

function presentLink(item: ItemRecord, { type, scope }: { readonly type: string; readonly scope: string }) {
  const id = uuidFrom(`${type} link of ${item.id} for ${scope}`);
  return {
    id,
    roles: [type === 'edit' ? 'write' : 'read'],
    link: {
      type,
      scope,
      webUrl: `https://${HOSTNAME}/:t:/g/${id.replaceAll('-', '')}`,
      preventsDownload: false,
    },
  };
}

function listPermissions(call: Call, _site: SiteRecord, item: ItemRecord): Outcome {
  const { id, name, email } = call.state.person;
  const owner = {
    id: Buffer.from(`owner of ${item.id}`).toString('base64url'),
    roles: ['owner'],
    grantedToV2: { user: { id: uuidFrom(id), displayName: name, email } },
  };
  const links = (item.links ?? []).map((link) => presentLink(item, link));
  const value = [owner, ...links];
  return { status: 200, body: { '@odata.context': call.context('permissions'), value } };
}

function listVersions(call: Call, site: SiteRecord, item: ItemRecord): Outcome {
  if (item.content === undefined) throw invalidRequest('A folder has no versions.');
  const { lastModifiedDateTime, lastModifiedBy, size } = present(call, site, item);
  const value = [{ id: `${item.version}.0`, lastModifiedDateTime, size, lastModifiedBy }];
  return { status: 200, body: { '@odata.context': call.context('Collection(driveItemVersion)'), value } };
}

// Text and unknown files have no thumbnails, and the sandbox has no other files.
const listThumbnails = (call: Call): Outcome => ({
  status: 200,
  body: { '@odata.context': call.context('thumbnails'), value: [] },
});

const endpoint = (verb: 'GET' | 'POST', ending: string, of: ItemHandler): Endpoint =>
  endpointAt({ verb, scopes: verb === 'GET' ? READ_FILES : WRITE_FILES, options: ['$select'] }, of)(
    `\\/items\\/([^/:]+)\\/${ending}`,
    (site, id = '') => findItem(site, id),
  );

export const sharedEndpoints: readonly Endpoint[] = [
  endpoint('POST', 'createLink', createLink),
  endpoint('GET', 'permissions', listPermissions),
  endpoint('GET', 'versions', listVersions),
  endpoint('GET', 'thumbnails', listThumbnails),
];
