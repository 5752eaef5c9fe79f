import { ServiceError } from '../errors.js';
import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';
import type { AgentAccesses } from './agent-access.js';
import { isOwnName } from './agent-clients.js';
import { checkRedirectUris } from './redirect-uris.js';

export interface RegistrationsParts {
  readonly agentAccesses: Pick<AgentAccesses, 'get'>;
  readonly digest: Digest;
  readonly now: () => number;
}

/** Response body of a dynamic client registration (RFC 7591, section 3.2.1). */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: 'none';
}

export interface Registered {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const FORM = /^reg_([\w-]{1,2600})\.([\w-]{43})$/;
const MAX_BYTES = 1900;
const UNNAMED = 'MCP client';

const refused = (oauthError: string, message: string): ServiceError =>
  new ServiceError('invalid_request', message, { oauthError });

function readRedirectUris(uris: unknown): readonly string[] {
  const texts = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : [];
  try {
    return checkRedirectUris(texts);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw refused('invalid_redirect_uri', error.message);
  }
}

const readableName = (name: unknown): string =>
  typeof name === 'string' && isOwnName(name) ? name : UNNAMED;

/** Creates the dynamic registration of MCP clients. An application must allow it in its settings. */
export function createRegistrations({ agentAccesses, digest, now }: RegistrationsParts) {
  const sealOf = (applicationId: string, body: string) =>
    digest('agent registration', `${applicationId} ${body}`);

  const isOn = async (applicationId: string): Promise<boolean> =>
    (await agentAccesses.get(applicationId)).registration;

  /**
   * Registers a public client, without a secret. A client that requests a secret, as claude.ai does, gets none (RFC
   * 7591, section 3.2.1). Throws not_found if the application does not allow registration.
   */
  async function register(
    applicationId: string,
    { client_name: name, redirect_uris }: Readonly<Record<string, unknown>>,
  ): Promise<RegisteredClient> {
    if (!(await isOn(applicationId)))
      throw new ServiceError(
        'not_found',
        'The application does not allow clients to register themselves. Ask its developer to register the client.',
      );
    const redirectUris = readRedirectUris(redirect_uris);
    const clientName = readableName(name);
    const issuedAt = Math.floor(now() / 1000);
    const json = JSON.stringify([clientName, redirectUris, issuedAt]);
    if (Buffer.byteLength(json) > MAX_BYTES)
      throw refused(
        'invalid_client_metadata',
        `The name and the redirect URIs of the client together have more than ${MAX_BYTES} bytes. Shorten them.`,
      );
    const body = Buffer.from(json).toString('base64url');
    return {
      // The client id contains the signed registration. Nothing is stored, because anyone can register any number of
      // clients.
      client_id: `reg_${body}.${sealOf(applicationId, body)}`,
      client_id_issued_at: issuedAt,
      client_name: clientName,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  async function find(applicationId: string, clientId: string): Promise<Registered | undefined> {
    const [, body = '', seal = ''] = FORM.exec(clientId) ?? [];
    if (!isSame(seal, sealOf(applicationId, body)) || !(await isOn(applicationId))) return undefined;
    // The decoded client id needs no validation, because its HMAC proves that this module wrote it.
    const [name, redirectUris]: [string, string[]] = JSON.parse(Buffer.from(body, 'base64url').toString());
    return { name: readableName(name), redirectUris };
  }

  return { register, find };
}

export type Registrations = ReturnType<typeof createRegistrations>;
