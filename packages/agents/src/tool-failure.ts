import { wellFormed } from '@svc/catalog/dialects';
import {
  type AccountNotAuthorizedError,
  type DryRunResult,
  isServiceError,
  type ServiceError,
} from '@svc/core';
import type { RunOptions } from './agent-tool.js';
import type { ToolSchema } from './tool-schema.js';

/** Failure of a tool call in the form that the model receives. */
export interface ToolFailureData {
  /** Error code, such as `invalid_input`. */
  readonly code: string;
  /** Message that says what went wrong. */
  readonly message: string;
  /** Advice for the model about its next step. */
  readonly advice: string;
  /** URL at which the user authorizes the account, when it is not authorized. */
  readonly link?: string;
  /** Errors of the tool input, each with the input field. */
  readonly problems?: readonly { readonly field: string; readonly message: string }[];
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;
  /** Upstream requests that the call would send. Set only in a dry run. */
  readonly plan?: DryRunResult['dryRun'];
  /** Completed part of a call that must not be repeated, such as its result. */
  readonly progress?: unknown;
  /** Error response of the upstream: its status and body. */
  readonly upstream?: { readonly status: number; readonly body: unknown };
}

/** Error for a failed tool call. Its message is the failure as JSON, so that a model can read it. */
export class ToolFailure extends Error {
  override name = 'ToolFailure';

  constructor(
    /** The failure as an object. The message contains the same as JSON. */
    readonly failure: ToolFailureData,
    options?: ErrorOptions,
  ) {
    super(JSON.stringify({ error: failure }), options);
  }
}

/** Checks for a ToolFailure by its name, because another copy of the package may have created it. */
export const isToolFailure = (error: unknown): error is ToolFailure =>
  error instanceof Error && error.name === 'ToolFailure' && 'failure' in error;

/** Maximum length of an upstream's error body in a failure, in UTF-16 code units. The rest is cut off. */
const MAX_BODY = 2000;

/** Hints of a called tool, and the signal that aborts the call. */
export interface FailedCall extends Pick<RunOptions, 'signal'> {
  readonly hints: ToolSchema['hints'];
}

/**
 * Converts an error of the service to a `ToolFailure` for the model. Returns aborts and other errors unchanged. Throws
 * the reason of a signal that aborts meanwhile.
 */
export async function toToolFailure(error: unknown, { hints, signal }: FailedCall): Promise<unknown> {
  if (!isServiceError(error)) return error;
  const { code, message } = error;
  // The call, or a part of it, may have run. No link and no other advice may lead the model to a repetition.
  if (error.details?.['repeatable'] === false) {
    const { progress } = error.details;
    return failure({ code, message, ...(progress !== undefined && { progress }) }, { cause: error }, FINAL);
  }
  const content = { code, message, ...(await details(error, signal)) };
  // Advises the model after a broken connection, because the call may have taken effect. Only a read-only or
  // idempotent call may be repeated without checking the result first.
  const broken = BROKEN.includes(code) && (hints.readOnly || hints.idempotent ? ONCE_MORE : LOOK_FIRST);
  return failure(content, { cause: error }, broken || undefined);
}

/** Creates the failure for a tool call whose arguments cannot be parsed. */
export const invalidInput = (message: string): ToolFailure => failure({ code: 'invalid_input', message });

/**
 * Creates the result of a dry run for the model. A dry run is reported as a failure, because nothing was sent. The
 * result contains the planned requests.
 */
export const planned = (plan: DryRunResult['dryRun']): ToolFailure =>
  failure({
    code: 'dry_run',
    message: 'This was a dry run, so nothing was done. The field plan contains what the call would do.',
    plan,
  });

/** Creates the failure for a call that a person did not approve. */
export const denied = (message: string): ToolFailure => failure({ code: 'denied', message });

function failure(
  content: Omit<ToolFailureData, 'advice'>,
  options?: ErrorOptions,
  given?: string,
): ToolFailure {
  const otherwise = content.retryAfter === undefined ? OTHERWISE : WAIT;
  return new ToolFailure({ ...content, advice: given ?? ADVICE[content.code] ?? otherwise }, options);
}

async function details(error: ServiceError, signal: RunOptions['signal']): Promise<Partial<ToolFailureData>> {
  const retry = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter };
  if (isServiceError(error, 'account_not_authorized')) return { ...retry, ...(await linkOf(error, signal)) };
  // Replaces the service's message, because it contains the link with which a person approves the call. A model that
  // can open pages could approve its own call.
  if (error.code === 'approval_required')
    return {
      message:
        'Nothing ran, because a person must approve this call first. Tell the user, and repeat the call after the approval.',
    };
  if (isServiceError(error, 'invalid_input'))
    return { problems: error.errors.map(({ field, message }) => ({ field, message })) };
  if (isServiceError(error, 'upstream_failed'))
    return { ...retry, upstream: { status: error.status, body: shortened(error.body) } };
  return retry;
}

async function linkOf(
  error: AccountNotAuthorizedError,
  signal: RunOptions['signal'],
): Promise<Partial<ToolFailureData>> {
  try {
    return { link: (await error.getLink({ signal: signal ?? undefined })).link };
  } catch {
    signal?.throwIfAborted();
    // Omits the link if it cannot be created. The application can create one for its user.
    return {};
  }
}

function shortened(body: unknown): unknown {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  if (text.length <= MAX_BODY) return wellFormed(body);
  // Cuts the text before a surrogate pair instead of inside it, because model vendors reject ill-formed Unicode.
  const end = /[\ud800-\udbff]/.test(text.charAt(MAX_BODY - 1)) ? MAX_BODY - 1 : MAX_BODY;
  return `${text.slice(0, end).toWellFormed()}…`;
}

const BROKEN: readonly string[] = ['connection_failed', 'upstream_timeout', 'timeout'];
const ONCE_MORE =
  'The connection broke during the call. Call the tool again once. If it fails again, tell the user.';
const LOOK_FIRST = 'The call may have taken effect. Check the result before you call the tool again.';

const FINAL =
  'The call may have taken effect, completely or in part. Do not call the tool again with this input. Check the result, and tell the user.';

const OTHERWISE = 'Tell the user that the call failed, and why.';
const WAIT =
  'The call failed, but can be retried. Wait the number of seconds in retryAfter, then call the tool again.';

const ADVICE: Readonly<Record<string, string>> = {
  invalid_input: 'The input is not valid. Correct it, then call the tool again.',
  account_not_authorized:
    'The user must connect the account first. If there is a link, show the exact link to the user. Otherwise tell the user to connect the account in the application. Then call the tool again.',
  dry_run:
    'Nothing was done, so do not say that it is done. Tell the user what the call would do, according to plan.',
  upstream_failed:
    'The upstream responded with an error. If message or upstream names a mistake in the input, correct it and call the tool again. Otherwise follow the advice in message, or tell the user.',
  approval_required:
    'Tell the user that a person must approve the call. After the approval, call the tool again with exactly the same input.',
  approval_denied:
    'Nothing ran, because a person denied the call or nobody approved it in time. Do not call the tool again with this input unless the user asks for it. Tell the user the reason.',
  rate_limited:
    'Too many calls were made. Wait the number of seconds in retryAfter, or one minute if it is missing, then call the tool again.',
};
