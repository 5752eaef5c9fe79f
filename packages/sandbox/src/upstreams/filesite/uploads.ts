import { isObject } from '../../json.js';
import { invalidRequest } from './api-error.js';
import { type Call, type Endpoint, type Outcome, WRITE_FILES } from './call.js';
import {
  CONFLICT_OPTION,
  checkDestination,
  checkQuota,
  type Destination,
  readBehavior,
  splitPath,
  storeFile,
} from './destination.js';
import { BELOW_ITEM, endpointAt, ITEM_PATH } from './item-endpoints.js';
import { readNames } from './item-name.js';
import { checkIfMatch, present } from './items.js';
import { childByName, eTagOf, findItem, type ItemRecord } from './state.js';

const OCTETS = 'application/octet-stream';

type Spot = Pick<Destination, 'site' | 'parent' | 'name'>;

function put(call: Call, spot: Spot): Outcome {
  const behavior = readBehavior(call.query.get(CONFLICT_OPTION), 'replace');
  checkIfMatch(call, existingAt(spot));
  const { item, isNew } = storeFile(
    { ...spot, behavior },
    { content: call.bytes, mimeType: call.header('content-type') ?? OCTETS, now: call.now },
  );
  const presented = present(call, spot.site, item);
  const fragment = `sites('${encodeURIComponent(spot.site.id)}')/drive/root/$entity`;
  return {
    status: isNew ? 201 : 200,
    body: { '@odata.context': call.context(fragment), ...presented },
    headers: { etag: eTagOf(item) },
  };
}

const existingAt = ({ site, parent, name }: Spot) => childByName(site, parent, name);

const ITEM_KEYS = [CONFLICT_OPTION, 'name', 'fileSize', 'description', '@odata.type', 'fileSystemInfo'];

function createSession(call: Call, spot: Spot): Outcome {
  const { item = {}, deferCommit = false, ...rest } = call.json();
  if (!isObject(item) || typeof deferCommit !== 'boolean') throw invalidRequest('The body is not valid.');
  const unknown = [...Object.keys(rest), ...Object.keys(item).filter((key) => !ITEM_KEYS.includes(key))];
  if (unknown[0] !== undefined)
    throw invalidRequest(`The property '${unknown[0]}' does not exist on the request.`);
  if (item.name !== undefined && item.name !== spot.name)
    throw invalidRequest('The name in the body differs from the one in the path.');
  const destination = { ...spot, behavior: readBehavior(item[CONFLICT_OPTION], 'fail') };
  checkIfMatch(call, existingAt(spot));
  checkDestination(destination);
  if (typeof item.fileSize === 'number') checkQuota(spot.site, item.fileSize);
  const session = call.sessions.open(destination, { person: call.state.person, deferCommit });
  const body = {
    '@odata.context': call.context('microsoft.graph.uploadSession'),
    ...call.sessions.status(session),
    uploadUrl: session.url,
  };
  return { status: 200, body };
}

function spotOf(item: ItemRecord): Pick<Destination, 'parent' | 'name'> {
  if (item.parent === undefined) throw invalidRequest('The root is not a file.');
  return { parent: item.parent, name: item.name };
}

function writing(
  verb: 'PUT' | 'POST',
  ending: string,
  handle: (call: Call, spot: Spot) => Outcome,
): Endpoint[] {
  const endpoint = endpointAt<Pick<Destination, 'parent' | 'name'>>(
    { verb, scopes: WRITE_FILES },
    (call, site, spot) => handle(call, { site, ...spot }),
  );
  return [
    endpoint(`${ITEM_PATH}:\\/${ending}`, (site, path = '') => splitPath(site, readNames(path))),
    endpoint(`${BELOW_ITEM}:\\/${ending}`, (site, id = '', path = '') =>
      splitPath(site, readNames(path), findItem(site, id)),
    ),
    endpoint(`\\/items\\/([^/:]+)\\/${ending}`, (site, id = '') => spotOf(findItem(site, id))),
  ];
}

export const uploadEndpoints: readonly Endpoint[] = [
  ...writing('PUT', 'content', put),
  ...writing('POST', 'createUploadSession', createSession),
];
