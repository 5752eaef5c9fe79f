import { ApiError } from '../../google/api-error.js';
import { type Incoming, type Method as MethodOf, pathPart, readJsonBody } from '../../google/method.js';
import { type Parameters, readParameters } from '../../google/parameters.js';
import { scopeUrl } from '../../google/scopes.js';
import type { OAuthContext } from '../../upstream.js';
import type { Check } from './body.js';
import { channelOf } from './channel-of.js';
import type { ScopeName } from './scopes.js';
import type { Channel, Fields, World } from './world.js';

/** A request to the analytics or the reporting host that has passed the checks that all methods share. */
export interface PlatformCall {
  readonly world: World;
  readonly me: Channel;
  /** For whom the request is made: the channel, or a content owner that its person acts for. */
  readonly owner: string;
  readonly parameters: Parameters;
  readonly body: Readonly<Fields>;
  /** The address of the host that was asked. */
  readonly hostUrl: string;
  /** A part of the path, decoded. */
  part(name: string): string;
  holds(scope: ScopeName): boolean;
}

export interface PlatformMethod extends MethodOf<PlatformCall> {
  readonly scopes: readonly ScopeName[];
  /** The parameters that it defines, beside those of all methods. */
  readonly parameters: readonly string[];
  readonly body?: Check;
}

export interface PlatformSurroundings {
  readonly context: OAuthContext;
  /** Where the host lives below the service's own address. */
  readonly path: string;
  world(): World;
}

const OWNER = 'onBehalfOfContentOwner';
const OF_ALL = ['alt', 'fields', 'key', 'oauth_token', 'prettyPrint', 'quotaUser', 'uploadType', OWNER];

export const badArgument = (message: string): ApiError =>
  new ApiError(400, 'badRequest', message, { status: 'INVALID_ARGUMENT' });

export const denied = (message = 'Forbidden'): ApiError =>
  new ApiError(403, 'forbidden', message, { status: 'PERMISSION_DENIED' });

export const missing = (message = 'Requested entity was not found.'): ApiError =>
  new ApiError(404, 'notFound', message, { status: 'NOT_FOUND' });

export function readPlatformCall(
  { request, access, query }: Incoming,
  method: PlatformMethod,
  { context, path, world }: PlatformSurroundings,
): PlatformCall {
  const allowed = [...OF_ALL, ...method.parameters];
  const unknown = [...query.keys()].find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw badArgument(
      `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter. Field '${unknown}' could not be found in request message.`,
    );
  const current = world();
  const me = channelOf(current, access.person);
  const body = method.body === undefined ? {} : readJsonBody(request);
  method.body?.(body, '');
  return {
    world: current,
    me,
    owner: ownerOf(me, query.get(OWNER)),
    parameters: readParameters(query, { value: 'badRequest', time: 'badRequest' }),
    body,
    hostUrl: context.authorizationServer.baseUrl + path,
    part: (name) => pathPart(request, name),
    holds: (scope) => access.scopes.has(scopeUrl(scope)),
  };
}

function ownerOf({ id, contentOwner }: Channel, onBehalfOf: string | null): string {
  if (onBehalfOf === null) return id;
  if (onBehalfOf === contentOwner) return onBehalfOf;
  throw denied('The caller does not have permission to act for this content owner.');
}
