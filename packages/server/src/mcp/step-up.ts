import { type Catalog, isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Call } from '../front/call.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import { isOfGrant, type TokenChain } from '../tokens/token-chain.js';
import { offersTool } from '../tokens/token-limits.js';
import type { Surface } from './surface.js';

export interface StepUpParts {
  readonly catalog: Pick<Catalog, 'tools'>;
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/** Throws not_permitted, with a challenge, for a call to which the user of a client could still agree. */
export type CheckScope = (call: Call, surface: Surface, body: unknown) => void;

const CALL = 'tools/call';
const BY_NAME = 'call_tool';

/** The tool that a message calls, by whichever way. */
function calledBy(body: unknown): unknown {
  if (!isJsonObject(body) || body['method'] !== CALL || !isJsonObject(body['params'])) return undefined;
  const { name, arguments: input } = body['params'];
  return name === BY_NAME && isJsonObject(input) ? input['name'] : name;
}

/** What the user could agree to: the application's own limits, which stand in the first link, stay. */
const withMoreScope = ({ links }: TokenChain) =>
  links.map(({ readOnly, ...link }, index) => (index === 0 && readOnly ? { ...link, readOnly } : link));

/** A client that was given less than it needs is told what to ask its user for (RFC 6750, section 3.1). */
export const createCheckScope =
  ({ catalog, environmentUrl, now }: StepUpParts): CheckScope =>
  (call, { shown, tools, reach }, body) => {
    const { token, door } = shown;
    const name = calledBy(body);
    if (typeof name !== 'string' || tools.has(name) || !isOfGrant(token)) return;
    const tool = catalog.tools.get(name);
    if (tool === undefined || !reach.has(tool.connector)) return;
    if (!offersTool(withMoreScope(token), { at: now(), audience: environmentUrl + door, tool })) return;
    const metadata = `${environmentUrl}/.well-known/oauth-protected-resource${door}`;
    const scope = AGENT_SCOPES.join(' ');
    call.headers['www-authenticate'] =
      `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${metadata}"`;
    throw new ServiceError(
      'not_permitted',
      `The user let this client read only: ask for the scope "${scope}".`,
      {
        limit: 'readOnly',
      },
    );
  };
