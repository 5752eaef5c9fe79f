import { cutText } from '@svc/catalog';
import type { AuthorizationLinks } from '../authorization/authorization-links.js';
import { type ErrorCode, isFinal, type ServiceError } from '../errors.js';
import { toOwnError } from '../listener/error-reply.js';
import type { Log } from '../log/log.js';
import type { Failure } from './outcome.js';

/** A call that failed. */
export interface FailedCall {
  readonly toolName: string;
  readonly isReadOnly: boolean;
  readonly requestId: string;
  readonly applicationId: string;
  /** Absent when the call failed before an account was chosen, or when no link may be created. */
  readonly account?: { readonly connectionName: string; readonly identifier: string } | undefined;
}

const BUSY: readonly ErrorCode[] = ['rate_limited', 'unavailable'];
/** Only reads may be repeated after these, because a write may have happened. */
const BROKEN: readonly ErrorCode[] = ['connection_failed', 'upstream_timeout'];
/** Characters of the details of an upstream's failure. */
const MOST_DETAILS = 2000;

function textOf({ code, message, details }: ServiceError): string {
  if (details === undefined) return `${code}: ${message}`;
  const { progress, ...others } = details;
  const bounded = cutText(JSON.stringify(others), MOST_DETAILS);
  // Progress is not cut, because the results in it cannot be read again.
  const results = progress === undefined ? [] : [JSON.stringify({ progress })];
  return [`${code}: ${message}`, bounded, ...results].join('\n');
}

const toFailure = (error: ServiceError, { isReadOnly }: FailedCall): Failure => ({
  code: error.code,
  text: textOf(error),
  isRetryable: !isFinal(error) && (BUSY.includes(error.code) || (isReadOnly && BROKEN.includes(error.code))),
});

interface DescribeFailureOptions {
  readonly links: Pick<AuthorizationLinks, 'create'>;
  readonly log: Pick<Log, 'fault'>;
}

export function createDescribeFailure({ links, log }: DescribeFailureOptions) {
  async function withLink(error: ServiceError, call: FailedCall): Promise<Failure> {
    const { account, applicationId, toolName } = call;
    if (account === undefined) return toFailure(error, call);
    const { link, expiresAt } = await links.create(applicationId, account);
    const message = `The user has not consented to "${account.connectionName}", or the consent has ended.`;
    const text = `${error.code}: ${message} Show them this link, which works once until ${expiresAt}: ${link} Then call ${toolName} again with the same input.`;
    return { code: error.code, text, isRetryable: false, link: { url: link, message } };
  }

  /** Describes an error of a tool to the model, with a link where the user has to approve the connection first. */
  return async function describeFailure(thrown: unknown, call: FailedCall): Promise<Failure> {
    const error = toOwnError(thrown);
    if (error.code === 'internal_error') {
      const { requestId } = call;
      log.fault('unexpected error', error.cause ?? error, { requestId, route: '/mcp' });
    }
    // The text of a link asks to repeat the call, which is wrong for a call that is partly done.
    if (error.code !== 'account_not_authorized' || isFinal(error)) return toFailure(error, call);
    // Connections without consent, such as those with API keys, have no link. The error says what to do.
    return withLink(error, call).catch(() => toFailure(error, call));
  };
}

export type DescribeFailure = ReturnType<typeof createDescribeFailure>;
