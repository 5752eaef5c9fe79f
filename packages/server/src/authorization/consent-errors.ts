import { ADMINISTRATOR_CONSENT, REFUSED_BY_ADMINISTRATOR } from '../oauth/foreign-codes.js';

/** Advice at the end of an error that ends a consent. */
export const START_AGAIN = 'Go back to the application and start again.';

/** Reason code in the audit log for a consent that the user declined. */
export const CANCELLED = 'cancelled';

interface ConsentError {
  /** Reason code in the audit log, and `svc_error` in the redirect to the application. */
  readonly reason: string;
  /** Text for the user. `name` is the name of the connection. */
  readonly message: (name: string) => string;
}

/**
 * OAuth error codes that have a connect page of their own, by the parameter `error` of the redirect to the callback or
 * of the token response.
 */
export const CONSENT_ERRORS: ReadonlyMap<string, ConsentError> = new Map<string, ConsentError>([
  [
    'access_denied',
    {
      reason: CANCELLED,
      message: () => 'You granted no access, so no account was connected. You can close this window.',
    },
  ],
  [
    REFUSED_BY_ADMINISTRATOR,
    {
      reason: REFUSED_BY_ADMINISTRATOR,
      message: () =>
        'An administrator of your organization does not allow this connection, so no account was connected. Ask them to allow it, then start again.',
    },
  ],
  [
    ADMINISTRATOR_CONSENT,
    {
      reason: ADMINISTRATOR_CONSENT,
      message: () =>
        'An administrator of your organization must consent first, so no account was connected. Ask the operator of the application for the link with which an administrator consents, and send it to your administrator. Start again after the administrator has consented.',
    },
  ],
  [
    'invalid_scope',
    {
      reason: 'invalid_scope',
      message: (name) =>
        `The authorization server does not know or allow a scope of the connection "${name}". Correct its scopes with PATCH /v1/connections/${name}, or add them to the OAuth client in the upstream's console.`,
    },
  ],
  [
    'unauthorized_client',
    {
      reason: 'unauthorized_client',
      message: (name) =>
        `The authorization server does not allow the OAuth client of the connection "${name}". Check \`clientId\`, and check the type of the OAuth client in the upstream's console.`,
    },
  ],
  [
    'temporarily_unavailable',
    {
      reason: 'temporarily_unavailable',
      message: () =>
        `The authorization server had a temporary failure and did not complete the consent. ${START_AGAIN}`,
    },
  ],
]);

/** Reason codes of all consent errors. */
export const CONSENT_REASONS: readonly string[] = [...CONSENT_ERRORS.values()].map(({ reason }) => reason);
