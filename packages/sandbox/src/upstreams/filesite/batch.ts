import { isObject } from '../../json.js';
import { ApiError, errorBody, invalidRequest } from './api-error.js';
import type { Arrived, Call, Endpoint, Outcome } from './call.js';

const MOST_REQUESTS = 20;

type BatchRequest = ReturnType<typeof readRequest>;

function readRequest(entry: unknown) {
  const { id, method, url, headers, body, dependsOn } = isObject(entry) ? entry : {};
  if (typeof id !== 'string' || typeof method !== 'string' || typeof url !== 'string')
    throw invalidRequest('Each request of a batch needs id, method and url.');
  const given = Object.entries(isObject(headers) ? headers : {});
  return {
    id,
    method: method.toUpperCase(),
    url: url.startsWith('/') ? url : `/${url}`,
    headers: Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
    body,
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map(String) : [],
  };
}

function toRequest(call: Call, { method, url, headers, body }: BatchRequest): Arrived {
  if (body !== undefined && headers['content-type'] === undefined)
    throw invalidRequest('A request with a body needs the header Content-Type.');
  const { pathname } = new URL(call.url);
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const bytes = isJson ? Buffer.from(JSON.stringify(body)) : Buffer.from(String(body ?? ''), 'base64');
  return {
    method,
    url: pathname.slice(0, -'/$batch'.length) + url,
    headers: { ...headers, authorization: call.header('authorization') },
    body: body === undefined ? undefined : bytes,
  };
}

async function runRequest(call: Call, request: BatchRequest): Promise<Outcome> {
  try {
    return await call.dispatch(toRequest(call, request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(error, { requestId: request.id, now: call.now }) };
  }
}

const failedDependency = (call: Call, id: string): Outcome => {
  const error = new ApiError(424, 'failedDependency', 'A request that this one depends on has failed.');
  return { status: 424, body: errorBody(error, { requestId: id, now: call.now }) };
};

async function batch(call: Call): Promise<Outcome> {
  const { requests } = call.json();
  if (!Array.isArray(requests) || requests.length === 0) throw invalidRequest('The batch has no requests.');
  if (requests.length > MOST_REQUESTS) throw invalidRequest(`A batch has at most ${MOST_REQUESTS} requests.`);
  const parsed = requests.map(readRequest);
  if (new Set(parsed.map(({ id }) => id)).size < parsed.length) throw invalidRequest('An id is used twice.');
  const statuses = new Map<string, number>();
  const responses: Readonly<Record<string, unknown>>[] = [];
  for (const one of parsed) {
    const isBlocked = one.dependsOn.some((id) => (statuses.get(id) ?? 500) >= 400);
    const {
      status,
      headers = {},
      body,
    } = isBlocked ? failedDependency(call, one.id) : await runRequest(call, one);
    statuses.set(one.id, status);
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    responses.push({ id: one.id, status, headers: { ...headers, ...type }, body: body ?? null });
  }
  return { status: 200, body: { responses } };
}

export const batchEndpoints: readonly Endpoint[] = [
  {
    verb: 'POST',
    path: /^\/(?:\$|%24)batch$/,
    scopes: [
      'Sites.Read.All',
      'Sites.ReadWrite.All',
      'Files.Read.All',
      'Files.ReadWrite.All',
      'Files.ReadWrite',
      'User.Read',
    ],
    handle: batch,
  },
];
