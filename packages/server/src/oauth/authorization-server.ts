import type { AuthorizationServer as Metadata } from 'oauth4webapi';
import type { ForeignCodes } from './foreign-codes.js';

/** Form of requests to the token endpoint. */
export interface TokenRequestStyle {
  readonly body: 'form' | 'json';
  readonly clientAuthentication: 'basic' | 'body';
  readonly headers: Readonly<Record<string, string>>;
}

/** An authorization server as the connector describes it, or as it was discovered. */
export interface AuthorizationServer {
  /** Id of the connector whose connections use it. Decides which listed origins may be called. */
  readonly connector: string;
  /** `undefined` if it is not known. Then `iss` is not compared. */
  readonly issuer: string | undefined;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly tokenRequest: TokenRequestStyle;
  /** Codes of the server beside those of the standards. */
  readonly errorCodes?: ForeignCodes | undefined;
  /** Resource of the requested tokens (RFC 8707), exactly as discovered. */
  readonly resource?: string | undefined;
  /** True if every callback carries `iss`, by the server's metadata. */
  readonly sendsIssuer?: boolean;
}

/** This service as a client of an authorization server. A public client has no secret. */
export interface Client {
  readonly id: string;
  readonly secret: string | undefined;
}

/** The server as oauth4webapi needs it. The library requires an issuer, so an unknown one becomes the endpoint's origin. */
export function toMetadata(server: AuthorizationServer): Metadata {
  const { issuer, tokenEndpoint, revocationEndpoint, sendsIssuer = false } = server;
  return {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    authorization_response_iss_parameter_supported: sendsIssuer,
    ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
  };
}
