import type { AuthorizationServer as Metadata } from 'oauth4webapi';

/** How the token endpoint wants to be asked. */
export interface TokenRequestStyle {
  readonly body: 'form' | 'json';
  readonly clientAuthentication: 'basic' | 'body';
  readonly headers: Readonly<Record<string, string>>;
}

/** An authorization server as the connector describes it, or as it was discovered. */
export interface AuthorizationServer {
  /** Of whose connections it is: what an operator listed for that connector may be asked. */
  readonly connector: string;
  /** `undefined` when it is not known, and then `iss` cannot be compared. */
  readonly issuer: string | undefined;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly tokenRequest: TokenRequestStyle;
  /** What tokens are asked for (RFC 8707), letter by letter. */
  readonly resource?: string | undefined;
  /** It says that every callback carries `iss`. */
  readonly sendsIssuer?: boolean;
}

/** What the authorization server knows the service by. Without a secret it is a public client. */
export interface Client {
  readonly id: string;
  readonly secret: string | undefined;
}

/** The form in which oauth4webapi wants it: an issuer is required there, so an unknown one is named after the endpoint. */
export function toMetadata(server: AuthorizationServer): Metadata {
  const { issuer, tokenEndpoint, revocationEndpoint, sendsIssuer = false } = server;
  return {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    authorization_response_iss_parameter_supported: sendsIssuer,
    ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
  };
}
