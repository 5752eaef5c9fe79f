import type { AdministratorConsent } from '@svc/catalog';
import type { AuthorizationServer as Metadata } from 'oauth4webapi';
import type { ForeignCodes } from './foreign-codes.js';

/** Encoding of token requests that an authorization server expects. */
export interface TokenRequestStyle {
  readonly body: 'form' | 'json';
  readonly clientAuthentication: 'basic' | 'body';
  readonly headers: Readonly<Record<string, string>>;
}

/** Authorization server, described by a connector or found by discovery. */
export interface AuthorizationServer {
  /** Id of the connector that uses the server. The connector lists the origins that the service may call. */
  readonly connector: string;
  /** Issuer identifier; `undefined` if unknown. The `iss` parameter of callbacks is then ignored. */
  readonly issuer: string | undefined;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly tokenRequest: TokenRequestStyle;
  /** Nonstandard error codes of the server. */
  readonly errorCodes?: ForeignCodes | undefined;
  /** Page on which an administrator consents for all users of an organization. */
  readonly administratorConsent?: AdministratorConsent | undefined;
  /**
   * Resource parameter for token requests (RFC 8707), exactly as found by discovery, because servers compare it
   * literally.
   */
  readonly resource?: string | undefined;
  /** True if the server's metadata promises `iss` in every callback (RFC 9207). */
  readonly sendsIssuer?: boolean;
}

/** OAuth client with which this service authenticates at an authorization server. A public client has no secret. */
export interface Client {
  readonly id: string;
  readonly secret: string | undefined;
}

/**
 * Converts the server description to the metadata of oauth4webapi. The library requires an issuer, so an unknown issuer
 * becomes the origin of the token endpoint.
 */
export function toMetadata(server: AuthorizationServer): Metadata {
  const { issuer, tokenEndpoint, revocationEndpoint, sendsIssuer = false } = server;
  return {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    authorization_response_iss_parameter_supported: sendsIssuer,
    ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
  };
}
