import type { AuthorizationLinks } from '../authorization/authorization-links.js';
import { type ErrorCode, isFinal, type ServiceError } from '../errors.js';
import { toOwnError } from '../listener/error-reply.js';
import type { Log } from '../log/log.js';
import type { Failed } from './answer.js';

export interface FailureParts {
  readonly links: Pick<AuthorizationLinks, 'create'>;
  readonly log: Pick<Log, 'fault'>;
}

/** What was called, as far as a failure tells of it. */
export interface Attempt {
  readonly toolName: string;
  readonly isReadOnly: boolean;
  readonly requestId: string;
  readonly applicationId: string;
  /** Absent where none was chosen. */
  readonly account?: { readonly connectionName: string; readonly identifier: string } | undefined;
}

const BUSY: readonly ErrorCode[] = ['rate_limited', 'unavailable'];
/** A read may be repeated; a write may have happened. */
const BROKEN: readonly ErrorCode[] = ['connection_failed', 'upstream_timeout'];
/** Of what an upstream says of its failure. */
const MOST_DETAILS = 2000;

function textOf({ code, message, details }: ServiceError): string {
  if (details === undefined) return `${code}: ${message}`;
  const { progress, ...others } = details;
  const said = JSON.stringify(others).slice(0, MOST_DETAILS).toWellFormed();
  // What a part of the call brought is told whole, like the result of one that ended well: nobody gets it again.
  const brought = progress === undefined ? [] : [JSON.stringify({ progress })];
  return [`${code}: ${message}`, said, ...brought].join('\n');
}

const toFailed = (error: ServiceError, { isReadOnly }: Attempt): Failed => ({
  code: error.code,
  text: textOf(error),
  isRetryable: !isFinal(error) && (BUSY.includes(error.code) || (isReadOnly && BROKEN.includes(error.code))),
});

/** Turns what a tool threw into what its caller is told; where the user must approve first, with a link for them. */
export function createToFailure({ links, log }: FailureParts) {
  async function withLink(error: ServiceError, attempt: Attempt): Promise<Failed> {
    const { account, applicationId, toolName } = attempt;
    if (account === undefined) return toFailed(error, attempt);
    const { link, expiresAt } = await links.create(applicationId, account);
    const message = `The user has not approved "${account.connectionName}" yet, or no longer.`;
    const text = `${error.code}: ${message} Show them this link, which is good once and until ${expiresAt}: ${link} Then call ${toolName} again with the same input.`;
    return { code: error.code, text, isRetryable: false, link: { url: link, message } };
  }

  return async (thrown: unknown, attempt: Attempt): Promise<Failed> => {
    const error = toOwnError(thrown);
    if (error.code === 'internal_error')
      log.fault('unexpected error', error.cause ?? error, {
        requestId: attempt.requestId,
        route: '/mcp',
      });
    // With a link goes that the call is to be made again, which is no good advice for one of which a part is done.
    if (error.code !== 'account_not_authorized' || isFinal(error)) return toFailed(error, attempt);
    // Where nobody approves, such as with keys, the error itself says what the application must do.
    return withLink(error, attempt).catch(() => toFailed(error, attempt));
  };
}

export type ToFailure = ReturnType<typeof createToFailure>;
