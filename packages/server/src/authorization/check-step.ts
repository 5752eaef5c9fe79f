import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { ConnectionRow } from '../storage/schema.js';

export const CHECK_NAMES = [
  'base_url',
  'discovery',
  'token_endpoint',
  'client',
  'scopes',
  'deadline',
] as const;
type CheckName = (typeof CHECK_NAMES)[number];

/** Result of one step of a connection check. A failed step has advice in its message. */
export interface CheckStep {
  readonly name: CheckName;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

export const passed = (name: CheckName, message: string): CheckStep => ({ name, result: 'passed', message });
export const failed = (name: CheckName, message: string): CheckStep => ({ name, result: 'failed', message });
export const skipped = (name: CheckName, message: string): CheckStep => ({
  name,
  result: 'skipped',
  message,
});

export const clientUnknown = skipped(
  'client',
  'The OAuth client was not tested, because an earlier step of this test failed. Correct the cause of that failure first.',
);

// Reasons of errors whose messages already contain advice. The settings of the connection do not cause these errors, so
// advice to change the settings would be wrong.
const EXPLAINED_REASONS = ['blocked_address', 'unlisted_origin'];

/** Returns the message of an expected error, with the given advice after it. Rethrows unexpected errors. */
export function explain(error: unknown, advice = ''): string {
  if (error instanceof OAuthError) {
    if (error.cause instanceof ServiceError) return explain(error.cause, advice);
    return [error.message, advice].filter((sentence) => sentence !== '').join(' ');
  }
  if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
  const isExplained = EXPLAINED_REASONS.includes(error.reason ?? '');
  return isExplained || advice === '' ? error.message : `${error.message} ${advice}`;
}

const endpointResponds = passed('token_endpoint', 'The token endpoint of the authorization server responds.');

/**
 * Names the OAuth client that the authorization server refused, and how to replace it. A connection without a client id
 * uses a client that the service registered.
 */
function refusedClient({ name, clientId }: ConnectionRow): string {
  if (clientId === null)
    return `the client that the service registered. If the next consent of a user also fails, set clientId and clientSecret with PATCH /v1/connections/${name}`;
  return `clientId or clientSecret. Copy both from the upstream's console again and set them with PATCH /v1/connections/${name}`;
}

/**
 * Converts the server's response to a made-up authorization code into check results. `invalid_grant` means that the
 * server knows the client. `remedy`: how to correct the URL of the token endpoint.
 */
export function toRefusalSteps(
  error: OAuthError,
  connection: ConnectionRow,
  remedy: string,
): readonly CheckStep[] {
  const { clientSecret } = connection;
  if (error.failure !== 'refused')
    return [
      failed('token_endpoint', explain(error, `If the URL of the token endpoint is wrong, ${remedy}.`)),
      clientUnknown,
    ];
  if (error.error === 'invalid_grant') {
    const known = clientSecret === null ? 'the client' : 'clientId and clientSecret';
    return [endpointResponds, passed('client', `The authorization server accepts ${known}.`)];
  }
  if (error.isClientRefused) {
    return [
      endpointResponds,
      failed('client', `The authorization server refuses ${refusedClient(connection)}.`),
    ];
  }
  return [
    endpointResponds,
    skipped(
      'client',
      'The OAuth client was not tested, because the authorization server refused the test request with an unknown error. Connect an account to see whether the OAuth client works.',
    ),
  ];
}
