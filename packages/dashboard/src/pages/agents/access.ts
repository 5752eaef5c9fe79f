import { type Answer, call, type Given } from '../../api/call.ts';

export type Access = Answer<'GET /operator/v1/applications/{applicationId}/agent-access'>;
export type AccessWish = Given<'PUT /operator/v1/applications/{applicationId}/agent-access'>['body'];

/** The party that signs users in. */
export type Way = 'signInUrl' | 'openId';

/** The settings as the form has them. */
export interface Typed {
  readonly way: Way;
  readonly signInUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly claim: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly registration: boolean;
}

/** Loads the sign-in of users; `null` where it is not set up. */
export async function loadAccess(applicationId: string, signal: AbortSignal): Promise<Access | null> {
  const access = await call(
    'GET /operator/v1/applications/{applicationId}/agent-access',
    { path: { applicationId } },
    { signal },
  );
  return access.signInUrl === undefined && access.openId === undefined ? null : access;
}

export function typedOf(access: Access | null): Typed {
  const { signInUrl = '', openId, registration = false } = access ?? {};
  const { issuer = '', clientId = '', claim = 'sub', scopes = ['openid'] } = openId ?? {};
  return {
    way: openId ? 'openId' : 'signInUrl',
    signInUrl,
    issuer,
    clientId,
    clientSecret: '',
    claim,
    scopes: scopes.join(' '),
    registration,
  };
}

/** The body of the request. The service replaces all settings, so settings outside the form are sent unchanged. */
export function wishOf(typed: Typed, access: Access | null): AccessWish {
  const { way, signInUrl, clientSecret, scopes, registration } = typed;
  const kept = { registration, limits: access?.limits ?? {} };
  if (way === 'signInUrl') return { signInUrl: signInUrl.trim(), ...kept };
  const [issuer, clientId, claim] = [typed.issuer.trim(), typed.clientId.trim(), typed.claim.trim()];
  const openId = {
    issuer,
    clientId,
    claim,
    scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
    ...(clientSecret !== '' && { clientSecret }),
  };
  return { openId, ...kept };
}

/** Tells whether the service keeps its stored secret for the typed settings. */
export const keepsSecret = ({ issuer, clientId }: Typed, access: Access | null): boolean =>
  access?.openId?.hasClientSecret === true &&
  access.openId.issuer === issuer.trim() &&
  access.openId.clientId === clientId.trim();
