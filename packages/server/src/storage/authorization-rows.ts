export interface AuthorizationLinkRow {
  id: string;
  applicationId: string;
  accountId: string;
  tokenDigest: string;
  /** 1 when the consent may replace the account's upstream user by another upstream user. */
  replaceSubject: number;
  /** URL of the application for the redirect after the consent; `null` to show a page of this service. */
  successUrl: string | null;
  failureUrl: string | null;
  /** Opaque text of the application, which the service returns in its redirects and in the verification of the user. */
  applicationState: string | null;
  /** JSON array of the OAuth scopes to request; `null` for all scopes of the connection. */
  requestedScopes: string | null;
  /** Languages for the pages, separated by spaces; `null` for the languages of the browser. */
  uiLocales: string | null;
  /** Origin of the application's page that opened the authorization link in a pop-up; `null` without a pop-up. */
  openerOrigin: string | null;
  expiresAt: number;
  usedAt: number | null;
  /**
   * Digest of the cookie of the browser that used the authorization link. Only this browser learns how the link ended.
   */
  browserDigest: string | null;
  /**
   * Result of the authorization link: `connected`, `verifying` while the application has to confirm the user, or the
   * reason code of a failed consent. `null` while the consent is not finished.
   */
  outcome: string | null;
  endedAt: number | null;
  /** Time when a use of the authorization link was first refused; `null` if no use was refused. */
  refusedAt: number | null;
}

export interface AuthorizationFlowRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  /** Id of the authorization link with which the flow began. */
  linkId: string;
  stateDigest: string;
  browserDigest: string;
  /** Encrypted PKCE code verifier, which the token request must contain. */
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
  /** Time when a callback of the OAuth flow was first refused; `null` if no callback was refused. */
  refusedAt: number | null;
}

/** Tokens of a consent for which the application has not yet verified the user. */
export interface PendingConsentRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  /** Id of the authorization link at which the user consented. */
  linkId: string;
  requestDigest: string;
  /** Encrypted JSON: the tokens that the authorization server issued. */
  tokens: string;
  /** URL of the token endpoint that issued the tokens. The service revokes the tokens only at this server. */
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
