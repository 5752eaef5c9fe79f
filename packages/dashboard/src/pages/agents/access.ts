import { call, type RequestOf, type ResponseOf } from '../../api/call.ts';

export type Access = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-access'>;
type AccessSettings = RequestOf<'PUT /operator/v1/applications/{applicationId}/agent-access'>['body'];

export type SignInMethod = 'signInUrl' | 'openId';

/** Values of the form for the user sign-in of MCP clients. */
export interface Typed {
  readonly method: SignInMethod;
  readonly signInUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly claim: string;
  /** OAuth scopes, separated by spaces. */
  readonly scopes: string;
  readonly registration: boolean;
}

export interface LoadedAccess {
  /** Settings of the user sign-in for MCP clients. `null` if the sign-in is not set up. */
  readonly access: Access | null;
  readonly etag: string;
}

export async function loadAccess(applicationId: string, signal: AbortSignal): Promise<LoadedAccess> {
  const access = await call(
    'GET /operator/v1/applications/{applicationId}/agent-access',
    { path: { applicationId } },
    { signal },
  );
  const isSetUp = access.signInUrl !== undefined || access.openId !== undefined;
  return { access: isSetUp ? access : null, etag: access.etag };
}

export function typedOf(access: Access | null): Typed {
  const { signInUrl = '', openId, registration = false } = access ?? {};
  const { issuer = '', clientId = '', claim = 'sub', scopes = ['openid'] } = openId ?? {};
  return {
    method: openId ? 'openId' : 'signInUrl',
    signInUrl,
    issuer,
    clientId,
    clientSecret: '',
    claim,
    scopes: scopes.join(' '),
    registration,
  };
}

/**
 * Builds the request body of the sign-in settings. The body repeats the current limits, because the request replaces
 * all settings.
 */
export function settingsOf(typed: Typed, access: Access | null): AccessSettings {
  const { method, signInUrl, clientSecret, scopes, registration } = typed;
  const shared = { registration, limits: access?.limits ?? {} };
  if (method === 'signInUrl') return { signInUrl: signInUrl.trim(), ...shared };
  const [issuer, clientId, claim] = [typed.issuer.trim(), typed.clientId.trim(), typed.claim.trim()];
  const openId = {
    issuer,
    clientId,
    claim,
    scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
    ...(clientSecret !== '' && { clientSecret }),
  };
  return { openId, ...shared };
}

/** Returns true if the stored client secret belongs to the issuer and the client ID in the form. */
export const reusesSecret = ({ issuer, clientId }: Typed, access: Access | null): boolean =>
  access?.openId?.hasClientSecret === true &&
  access.openId.issuer === issuer.trim() &&
  access.openId.clientId === clientId.trim();
