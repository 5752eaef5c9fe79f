import {
  type Incoming,
  type Method as MethodOf,
  pathPart,
  readJsonBody,
  verbOf,
} from '../../../google/method.js';
import { findFault, type Rules, type Taken } from '../../../google/parameter-rules.js';
import { type Parameters, readParameters } from '../../../google/parameters.js';
import type { Quota } from '../../../google/quota.js';
import { scopeUrl } from '../../../google/scopes.js';
import type { OAuthContext } from '../../../upstream.js';
import { DAY, instantOf, wallAt } from '../../../zoned-time.js';
import type { Check } from '../body.js';
import { aboutPart, faulty, forbidden, missingParameter, quotaExceeded } from '../refusals.js';
import type { ScopeName } from '../scopes.js';
import { type Channel, channelOf, type Fields, publishDue, type World } from '../world.js';
import type { Media, TakenFiles } from './media.js';

export interface Call {
  readonly world: World;
  readonly me: Channel;
  readonly parameters: Parameters;
  readonly parts: ReadonlySet<string>;
  readonly body: Readonly<Fields>;
  readonly media?: Media;
  pathPart(name: string): string;
  hasScope(scope: ScopeName): boolean;
}

export interface Method extends MethodOf<Call> {
  readonly scopes: readonly ScopeName[];
  readonly parts?: readonly string[];
  /** True if the `part` parameter is optional. Without it, the response contains all parts. */
  readonly partsAreOptional?: true;
  readonly body?: Check;
  readonly takes?: TakenFiles;
  readonly units: number;
  /** Quota that the method uses. Searches have a separate daily quota. */
  readonly bucket?: 'search';
}

type OwnMethod = Pick<Method, 'scopes' | 'handle'> & Partial<Method>;

/** Builds the methods of one service in Google's API description. By default a read costs 1 quota unit, a write 50. */
export function serviceMethods(
  service: string,
  path: string,
  methods: Readonly<Record<string, OwnMethod>>,
): readonly Method[] {
  return Object.entries(methods).map(([word, own]) => {
    const { verb = verbOf(word) } = own;
    const name = `youtube.api.v3.V3Data${service}Service.${word}`;
    return { name, verb, path, parameters: {}, units: verb === 'GET' ? 1 : 50, ...own };
  });
}

export interface Surroundings {
  readonly context: OAuthContext;
  readonly quota: Quota;
  world(): World;
}

const taken = ({ parts, partsAreOptional, parameters, needs = [] }: Method): Taken =>
  parts === undefined
    ? { parameters, needs }
    : {
        parameters: { part: 'texts', ...parameters },
        needs: partsAreOptional ? needs : ['part', ...needs],
      };

export function readCall(
  { request, access, query }: Incoming,
  method: Method,
  { context, quota, world, sent }: Surroundings & { readonly sent?: Fields },
): Call {
  spend(method, access.clientId, { context, quota });
  const fault = findFault(query, taken(method));
  if (fault !== undefined) throw faulty(fault);
  const parts = readParts(query, method);
  const current = world();
  publishDue(current);
  const me = channelOf(current, access.person);
  checkOwner(query, me, access.scopes.has(scopeUrl('youtubepartner')));
  return {
    world: current,
    me,
    parameters: readParameters(query),
    parts,
    body:
      method.body === undefined
        ? {}
        : readBody(sent ?? readJsonBody(request), { parts, method, check: method.body }),
    pathPart: (name) => pathPart(request, name),
    hasScope: (scope) => access.scopes.has(scopeUrl(scope)),
  };
}

// The daily quota belongs to the application, not to its users. It resets at midnight Pacific time.
function spend(
  { units, bucket }: Method,
  clientId: string,
  { context, quota }: Pick<Surroundings, 'context' | 'quota'>,
): void {
  const { quotaPerDay, searchesPerDay } = context.dials();
  const isSearch = bucket === 'search';
  quota.spend(`${clientId} ${bucket ?? ''}`, isSearch ? 1 : units, {
    limit: isSearch ? searchesPerDay : quotaPerDay,
    since: lastMidnight(context.clock.now()),
    refuse: quotaExceeded,
  });
}

const PACIFIC = 'America/Los_Angeles';

function lastMidnight(now: number): number {
  return instantOf(Math.floor(wallAt(now, PACIFIC) / DAY) * DAY, PACIFIC);
}

function readParts(
  query: URLSearchParams,
  { parts: known, partsAreOptional }: Pick<Method, 'parts' | 'partsAreOptional'>,
): Set<string> {
  if (known === undefined) return new Set();
  const parts = query.getAll('part').flatMap(splitList);
  if (parts.length === 0 && partsAreOptional) return new Set(known);
  if (parts.length === 0) throw missingParameter('part');
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown !== undefined) throw aboutPart('unknownPart', unknown);
  return new Set(parts);
}

function readBody(
  body: Fields,
  { parts, method, check }: { parts: ReadonlySet<string>; method: Method; check: Check },
): Fields {
  check(body, '');
  // True if the request body contains the part as an object, such as `snippet`. The fields `id` and `etag` are strings,
  // and the `part` parameter need not name them.
  const isWritten = (part: string) => typeof body[part] === 'object' && body[part] !== null;
  const unnamed = method.parts?.find((part) => isWritten(part) && !parts.has(part));
  if (unnamed !== undefined) throw aboutPart('unexpectedPart', unnamed);
  return body;
}

export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const OWNER = 'onBehalfOfContentOwner';
const CHANNEL = 'onBehalfOfContentOwnerChannel';

export const OWNED: Rules = { [OWNER]: 'text' };
export const OWNED_CHANNEL: Rules = { ...OWNED, [CHANNEL]: 'text' };

function checkOwner(query: URLSearchParams, { contentOwner }: Channel, isPartner: boolean): void {
  const owner = query.get(OWNER);
  if (owner === null && query.has(CHANNEL)) throw missingParameter(OWNER);
  if (owner !== null && !(isPartner && owner === contentOwner)) throw forbidden();
}
