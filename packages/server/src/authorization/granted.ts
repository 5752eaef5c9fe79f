import type { ConnectionOAuth } from '../connections/connection-oauth.js';
import type { GrantedTokens } from '../connections/tokens.js';
import type { Tokens } from '../oauth/oauth.js';
import type { AuthorizationFlowRow, PendingApprovalRow } from '../storage/authorization-rows.js';

/** What an approval gave, whoever it is for. */
export interface Granted
  extends Pick<
    PendingApprovalRow,
    | 'applicationId'
    | 'connectionId'
    | 'accountId'
    | 'scopes'
    | 'subject'
    | 'issuer'
    | 'tokenEndpoint'
    | 'replaceSubject'
    | 'issuedAt'
  > {
  readonly tokens: GrantedTokens;
}

/** What the exchange of a flow's code gave. */
export interface Grant {
  readonly flow: AuthorizationFlowRow;
  readonly use: ConnectionOAuth;
  readonly tokens: Tokens;
}

export function toGranted({ flow, use, tokens }: Grant, issuedAt: number): Granted {
  const { applicationId, connectionId, accountId, scopes, tokenEndpoint, replaceSubject } = flow;
  const from = { applicationId, connectionId, accountId, scopes, tokenEndpoint, replaceSubject };
  const { accessToken, refreshToken, expiresIn, scopes: granted } = tokens;
  return {
    ...from,
    subject: use.subjectIn(tokens),
    issuer: use.issuer,
    issuedAt,
    tokens: { accessToken, refreshToken, expiresIn, scopes: granted },
  };
}
