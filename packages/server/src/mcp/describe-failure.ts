import { cutText } from '@svc/catalog';
import type { AuthorizationLinks } from '../authorization/authorization-links.js';
import type { AccountName } from '../connections/find-account.js';
import { asServiceError, type ErrorCode, isFinal, type ServiceError } from '../errors.js';
import type { Log } from '../log/log.js';
import type { Failure } from './outcome.js';

/** Tool call that failed. The error text and the log use these properties. */
export interface FailedCall {
  readonly toolName: string;
  readonly isReadOnly: boolean;
  readonly requestId: string;
  readonly applicationId: string;
  /**
   * Connected account of the call. Absent if the call failed before an account was selected, or if the error must
   * contain no authorization link.
   */
  readonly account?: AccountName | undefined;
}

const BUSY: readonly ErrorCode[] = ['rate_limited', 'unavailable'];
/** Error codes after which only read-only tools are retryable, because a write may already have taken effect. */
const BROKEN: readonly ErrorCode[] = ['connection_failed', 'upstream_timeout'];
/** Maximum number of characters of `details` in the error text for the model. */
const MAX_DETAILS_CHARACTERS = 2000;

function textOf({ code, message, details }: ServiceError): string {
  if (details === undefined) return `${code}: ${message}`;
  // The message contains the advice already, and often the errors too. A model should not read them twice.
  const { advice: _, errors, progress, ...others } = details;
  const isSaid = Array.isArray(errors) && errors.every((each) => message.includes(each?.message));
  const rest = isSaid ? others : { ...others, errors };
  const bounded = cutText(JSON.stringify(rest), MAX_DETAILS_CHARACTERS);
  // `details.progress` is never truncated, because the results in it cannot be read again.
  const results = progress === undefined ? [] : [JSON.stringify({ progress })];
  return [`${code}: ${message}`, ...(bounded === '{}' ? [] : [bounded]), ...results].join('\n');
}

const toFailure = (error: ServiceError, { isReadOnly }: FailedCall): Failure => ({
  code: error.code,
  text: textOf(error),
  isRetryable: !isFinal(error) && (BUSY.includes(error.code) || (isReadOnly && BROKEN.includes(error.code))),
});

/** Returns the sentence for the user that says why an authorization link is needed. */
function reasonOf({ details }: ServiceError, { connectionName }: AccountName): string {
  const { requiredScopes, credential, statusReason } = details ?? {};
  if (Array.isArray(requiredScopes))
    return `The user has not granted a permission of "${connectionName}" that this call needs: ${requiredScopes.join(' ')}.`;
  if (typeof credential === 'string')
    return `The user has not entered the credential "${credential}" of "${connectionName}", which this call needs.`;
  if (statusReason === 'key_refused') return `The upstream refused the user's key of "${connectionName}".`;
  return `The user has not connected "${connectionName}", or the access has ended.`;
}

interface DescribeFailureOptions {
  readonly links: Pick<AuthorizationLinks, 'create'>;
  readonly log: Pick<Log, 'fault'>;
}

export function createDescribeFailure({ links, log }: DescribeFailureOptions) {
  async function withLink(error: ServiceError, call: FailedCall): Promise<Failure> {
    const { account, applicationId, toolName } = call;
    if (account === undefined) return toFailure(error, call);
    const { link, expiresAt } = await links.create(applicationId, account);
    const message = reasonOf(error, account);
    const text = `${error.code}: ${message} Show the user the link at the end of this text. It works once, until ${expiresAt}. After the user has used it, call ${toolName} again with the same input. Link: ${link}`;
    return { code: error.code, text, isRetryable: false, link: { url: link, message } };
  }

  /**
   * Converts an error of a tool call to a text for the model. If the user must consent to the connection first, the
   * text contains an authorization link.
   */
  return async function describeFailure(thrown: unknown, call: FailedCall): Promise<Failure> {
    const error = asServiceError(thrown);
    if (error.code === 'internal_error') {
      const { requestId } = call;
      log.fault(
        'a request failed with an unexpected error; report this line to the developers of the service',
        error.cause ?? error,
        { requestId, route: '/mcp' },
      );
    }
    // A final error gets no authorization link. The link's text instructs the model to repeat the call, and a final
    // error means that the call is partly done.
    if (error.code !== 'account_not_authorized' || isFinal(error)) return toFailure(error, call);
    // The service cannot create a link for a connection that is not configured. The original error says what to do.
    return withLink(error, call).catch(() => toFailure(error, call));
  };
}

export type DescribeFailure = ReturnType<typeof createDescribeFailure>;
