import type { TokenResponse } from '../oauth/oauth.js';
import { secret } from '../secret.js';
import type { AccountRow } from '../storage/schema.js';
import type { Seal, SecretLocation, Vault } from '../vault/vault.js';

type AccountKey = Pick<AccountRow, 'applicationId' | 'id'>;

export const tokenLocation = (
  { applicationId, id }: AccountKey,
  column: 'access_token' | 'refresh_token',
): SecretLocation => ({ applicationId, table: 'accounts', rowId: id, column });

/** Part of an OAuth token response that is stored with the account. */
export type TokenSet = Pick<TokenResponse, 'accessToken' | 'refreshToken' | 'expiresIn' | 'scopes'>;

export interface NewTokens {
  readonly tokens: TokenSet;
  readonly now: number;
}

/** Columns of an account whose last token refresh did not fail. */
export const REFRESH_WORKS = {
  refreshFailingSince: null,
  refreshFailedAt: null,
  refreshFailure: null,
} as const;

/**
 * Returns the account's database columns for new tokens. If the response has no refresh token, the stored one stays.
 */
export function tokenColumns(seal: Seal, account: AccountKey, { tokens, now }: NewTokens) {
  const { accessToken, refreshToken, expiresIn, scopes } = tokens;
  return {
    accessToken: seal(tokenLocation(account, 'access_token'), secret(accessToken)),
    ...(refreshToken !== undefined && {
      refreshToken: seal(tokenLocation(account, 'refresh_token'), secret(refreshToken)),
    }),
    ...(scopes !== undefined && { scopes: JSON.stringify(scopes) }),
    issuedAt: now,
    expiresAt: expiresIn === undefined ? null : now + Math.round(expiresIn * 1000),
    status: 'authorized' as const,
    statusReason: null,
    refreshStartedAt: null,
    ...REFRESH_WORKS,
    untestedSince: null,
    updatedAt: now,
  };
}

export type TokenColumns = ReturnType<typeof tokenColumns>;

export async function sealTokens(
  vault: Vault,
  account: AccountKey,
  newTokens: NewTokens,
): Promise<TokenColumns> {
  return tokenColumns(await vault.prepare(account.applicationId), account, newTokens);
}
