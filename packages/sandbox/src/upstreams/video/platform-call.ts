import { ApiError } from '../../google/api-error.js';
import {
  type Incoming,
  type Method as MethodOf,
  pathPart,
  readJsonBody,
  verbOf,
} from '../../google/method.js';
import { readPageToken, writePageToken } from '../../google/page-token.js';
import { type Fault, findFault, type Rules } from '../../google/parameter-rules.js';
import { type Parameters, readParameters } from '../../google/parameters.js';
import { scopeUrl } from '../../google/scopes.js';
import type { OAuthContext } from '../../upstream.js';
import type { Check } from './body.js';
import type { ScopeName } from './scopes.js';
import { type Channel, channelOf, type Fields, type World } from './world.js';

export interface PlatformCall {
  readonly world: World;
  readonly me: Channel;
  /** Id of the channel or content owner on whose behalf the request runs. */
  readonly owner: string;
  readonly parameters: Parameters;
  readonly body: Readonly<Fields>;
  readonly hostUrl: string;
  part(name: string): string;
  hasScope(scope: ScopeName): boolean;
}

export interface PlatformMethod extends MethodOf<PlatformCall> {
  readonly scopes: readonly ScopeName[];
  readonly body?: Check;
}

type OwnMethod = Pick<PlatformMethod, 'handle'> & Partial<PlatformMethod>;

export function platformMethods(
  service: string,
  common: Pick<PlatformMethod, 'path' | 'scopes'>,
  methods: Readonly<Record<string, OwnMethod>>,
): readonly PlatformMethod[] {
  return Object.entries(methods).map(([word, own]) => ({
    name: `${service}.${word}`,
    verb: verbOf(word),
    parameters: {},
    ...common,
    ...own,
  }));
}

export interface PlatformSurroundings {
  readonly context: OAuthContext;
  readonly path: string;
  world(): World;
}

const OWNER = 'onBehalfOfContentOwner';

export const badArgument = (message: string): ApiError =>
  new ApiError(400, 'badRequest', message, { status: 'INVALID_ARGUMENT' });

function faulty({ kind, name, message }: Fault): ApiError {
  const description =
    kind === 'unknown'
      ? `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`
      : message;
  const violation = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: name, description }],
  };
  return new ApiError(400, 'badRequest', description, { status: 'INVALID_ARGUMENT', details: [violation] });
}

export const denied = (message = 'Forbidden'): ApiError =>
  new ApiError(403, 'forbidden', message, { status: 'PERMISSION_DENIED' });

export const missing = (message = 'Requested entity was not found.'): ApiError =>
  new ApiError(404, 'notFound', message, { status: 'NOT_FOUND' });

export function readPlatformCall(
  { request, access, query }: Incoming,
  method: PlatformMethod,
  { context, path, world }: PlatformSurroundings,
): PlatformCall {
  const fault = findFault(query, { parameters: { [OWNER]: 'text', ...method.parameters } });
  if (fault !== undefined) throw faulty(fault);
  const current = world();
  const me = channelOf(current, access.person);
  const body = method.body === undefined ? {} : readJsonBody(request);
  method.body?.(body, '');
  return {
    world: current,
    me,
    owner: ownerOf(me, query.get(OWNER)),
    parameters: readParameters(query),
    body,
    hostUrl: context.authorizationServer.baseUrl + path,
    part: (name) => pathPart(request, name),
    hasScope: (scope) => access.scopes.has(scopeUrl(scope)),
  };
}

function ownerOf({ id, contentOwner }: Channel, onBehalfOf: string | null): string {
  if (onBehalfOf === null) return id;
  if (onBehalfOf === contentOwner) return onBehalfOf;
  throw denied('The caller does not have permission to act for this content owner.');
}

export const PAGED: Rules = { pageSize: { min: 0 }, pageToken: 'text' };

const PAGE = 50;
const MOST = 1000;

/** Returns a page of a list under `name`. An empty page omits the key, as in the real service. */
export function listed({ parameters }: PlatformCall, items: readonly Fields[], name: string): Fields {
  const requested = Math.min(MOST, parameters.integer('pageSize', 0));
  const size = requested === 0 ? PAGE : requested;
  const offset = readPageToken(parameters.text('pageToken'), parameters.fingerprint());
  if (offset === undefined) throw badArgument('Invalid page token.');
  const next = offset + size;
  const page = items.slice(offset, next);
  return {
    ...(page.length === 0 ? {} : { [name]: page }),
    ...(next < items.length ? { nextPageToken: writePageToken(next, parameters.fingerprint()) } : {}),
  };
}
