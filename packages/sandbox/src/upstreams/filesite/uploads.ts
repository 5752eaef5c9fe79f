import { isObject } from '../../json.js';
import { invalidRequest } from './api-error.js';
import { type Call, type Endpoint, type Outcome, WRITE_FILES } from './call.js';
import { BELOW_ITEM, findLibrary, ITEM_PATH, pathOf } from './item-endpoints.js';
import { readNames } from './item-name.js';
import { checkIfMatch } from './items.js';
import {
  CONFLICT_OPTION,
  checkPlace,
  checkQuota,
  type Place,
  placeFile,
  readBehavior,
  splitPath,
} from './place.js';
import { presentItem } from './present.js';
import { childNamed, eTagOf, findItem } from './state.js';

const OCTETS = 'application/octet-stream';

type Spot = Pick<Place, 'site' | 'parent' | 'name'>;

function put(call: Call, spot: Spot): Outcome {
  const behavior = readBehavior(call.query.get(CONFLICT_OPTION), 'replace');
  checkIfMatch(call, existingAt(spot));
  const { item, isNew } = placeFile(
    { ...spot, behavior },
    { content: call.bytes, mimeType: call.header('content-type') ?? OCTETS, now: call.now },
  );
  const presented = presentItem(spot.site, item, { person: call.state.person, links: call.links });
  const fragment = `sites('${encodeURIComponent(spot.site.id)}')/drive/root/$entity`;
  return {
    status: isNew ? 201 : 200,
    body: { '@odata.context': call.context(fragment), ...presented },
    headers: { etag: eTagOf(item) },
  };
}

const existingAt = ({ site, parent, name }: Spot) => childNamed(site, parent, name);

const ITEM_KEYS = [CONFLICT_OPTION, 'name', 'fileSize', 'description', '@odata.type', 'fileSystemInfo'];

function createSession(call: Call, spot: Spot): Outcome {
  const { item = {}, deferCommit = false, ...rest } = call.json();
  if (!isObject(item) || typeof deferCommit !== 'boolean') throw invalidRequest('The body is not valid.');
  const unknown = [...Object.keys(rest), ...Object.keys(item).filter((key) => !ITEM_KEYS.includes(key))];
  if (unknown[0] !== undefined)
    throw invalidRequest(`The property '${unknown[0]}' does not exist on the request.`);
  if (item.name !== undefined && item.name !== spot.name)
    throw invalidRequest('The name in the body differs from the one in the path.');
  const place = { ...spot, behavior: readBehavior(item[CONFLICT_OPTION], 'fail') };
  checkIfMatch(call, existingAt(spot));
  checkPlace(place);
  if (typeof item.fileSize === 'number') checkQuota(spot.site, item.fileSize);
  const session = call.sessions.open(place, { person: call.state.person, deferCommit });
  const body = {
    '@odata.context': call.context('microsoft.graph.uploadSession'),
    ...call.sessions.status(session),
    uploadUrl: session.url,
  };
  return { status: 200, body };
}

function atPath(handle: (call: Call, spot: Spot) => Outcome): Endpoint['handle'] {
  return (call, library = '', path = '') => {
    const site = findLibrary(call.state, library);
    return handle(call, { site, ...splitPath(site, readNames(path)) });
  };
}

function inFolder(handle: (call: Call, spot: Spot) => Outcome): Endpoint['handle'] {
  return (call, library = '', folderId = '', path = '') => {
    const site = findLibrary(call.state, library);
    return handle(call, { site, ...splitPath(site, readNames(path), findItem(site, folderId)) });
  };
}

function ofItem(handle: (call: Call, spot: Spot) => Outcome): Endpoint['handle'] {
  return (call, library = '', id = '') => {
    const site = findLibrary(call.state, library);
    const { parent, name } = findItem(site, id);
    if (parent === undefined) throw invalidRequest('The root is not a file.');
    return handle(call, { site, parent, name });
  };
}

function writing(
  verb: 'PUT' | 'POST',
  ending: string,
  handle: (call: Call, spot: Spot) => Outcome,
): Endpoint[] {
  const common = { verb, scopes: WRITE_FILES };
  return [
    { ...common, path: pathOf(`${ITEM_PATH}:\\/${ending}`), handle: atPath(handle) },
    { ...common, path: pathOf(`${BELOW_ITEM}:\\/${ending}`), handle: inFolder(handle) },
    { ...common, path: pathOf(`\\/items\\/([^/:]+)\\/${ending}`), handle: ofItem(handle) },
  ];
}

export const uploadEndpoints: readonly Endpoint[] = [
  ...writing('PUT', 'content', put),
  ...writing('POST', 'createUploadSession', createSession),
];
