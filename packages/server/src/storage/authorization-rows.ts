export interface AuthorizationLinkRow {
  id: string;
  applicationId: string;
  accountId: string;
  tokenDigest: string;
  /** 1 if the user may consent as another upstream user than before; otherwise 0. */
  replaceSubject: number;
  /**
   * URL to which the application wants the browser to be redirected after the consent. `null` to show a page of this
   * service instead.
   */
  successUrl: string | null;
  failureUrl: string | null;
  /**
   * Opaque text that the application sent. The service returns it in redirects to the application, and in the response
   * when the application verifies the user.
   */
  applicationState: string | null;
  /** JSON array of the OAuth scopes to request. `null` to request all scopes of the connection. */
  requestedScopes: string | null;
  /** Languages for the pages, separated by spaces. `null` to use the browser's languages. */
  uiLocales: string | null;
  /** Origin of the application's page that opened the authorization link in a pop-up. `null` if there is no pop-up. */
  openerOrigin: string | null;
  expiresAt: number;
  usedAt: number | null;
  /**
   * Digest of the cookie in the browser that used the authorization link. Only this browser learns how the link ended.
   */
  browserDigest: string | null;
  /**
   * Result of the authorization link: `connected`, `verifying` while the application has to verify the user, or the
   * reason code of a failed consent. `null` until the user has finished the consent.
   */
  outcome: string | null;
  endedAt: number | null;
  /**
   * Time when a use of the authorization link was first refused, in milliseconds since 1970. `null` if none was
   * refused.
   */
  refusedAt: number | null;
}

export interface AuthorizationFlowRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  /** Id of the authorization link that started the OAuth flow. */
  linkId: string;
  stateDigest: string;
  browserDigest: string;
  /** Encrypted PKCE code verifier, which the service sends with the token request. */
  codeVerifier: string;
  clientId: string;
  issuer: string | null;
  tokenEndpoint: string;
  /** JSON array of the OAuth scopes that the consent flow requests. */
  scopes: string;
  replaceSubject: number;
  successUrl: string | null;
  failureUrl: string | null;
  applicationState: string | null;
  expiresAt: number;
  consumedAt: number | null;
  /**
   * Time when a callback of the OAuth flow was first refused, in milliseconds since 1970. `null` if none was refused.
   */
  refusedAt: number | null;
}

/** Tokens from a consent whose user the application has not verified yet. */
export interface PendingConsentRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  /** Id of the authorization link through which the user consented. */
  linkId: string;
  requestDigest: string;
  /** Encrypted JSON: the tokens that the authorization server issued. */
  tokens: string;
  /** URL of the token endpoint that issued the tokens. The service revokes them only at the server of this endpoint. */
  tokenEndpoint: string;
  /** JSON array of the OAuth scopes that the consent flow requested. */
  scopes: string;
  subject: string | null;
  issuer: string | null;
  connectedAs: string | null;
  replaceSubject: number;
  successUrl: string | null;
  applicationState: string | null;
  /** Time when the authorization server issued the tokens, in milliseconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}
