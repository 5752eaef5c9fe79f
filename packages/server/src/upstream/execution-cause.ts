import { type Connector, cutText, isJsonObject, ResponseError } from '@svc/catalog';
import type { ServiceError } from '../errors.js';
import { hidePrivate, valuesIn } from '../text/hide-private.js';
import { printableLine } from '../text/printable.js';
import { declaredSentenceIn } from './upstream-failed.js';

/**
 * Connector, input and user data of a failed call. They help to find secrets and user data in the upstream's error
 * message.
 */
export interface FailedFacts {
  /** Connector of the account that the call used. Absent if the account is unknown. */
  readonly connector?: Pick<Connector, 'errorText'> | undefined;
  /** Input of the tool call. Absent for proxied requests. */
  readonly input?: unknown;
  /**
   * Texts about the user, such as the identifier. They are removed from the upstream's error message before it is
   * stored.
   */
  readonly userTexts: readonly string[];
  /** True if the operator forbids storing the upstream's error messages for this connection. */
  readonly hidesUpstreamErrors: boolean;
}

/** Response by which an upstream refused a call. */
interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

const MAX_FIELDS = 5;
const MAX_NAME_CHARACTERS = 120;
const MAX_MESSAGE_CHARACTERS = 300;
// Maximum number of characters of a message in which secrets are searched. It exceeds `MAX_MESSAGE_CHARACTERS`, because
// a secret that is cut first would no longer look like one.
const MAX_SEARCHED_CHARACTERS = 4000;
const MAX_LEVELS = 4;

const CODE_FIELDS = [
  'code',
  'errorCode',
  'error_code',
  'serviceErrorCode',
  'reason',
  'status',
  'error',
  'type',
];
const NESTED_FIELDS = ['error', 'errors', 'fault', 'detail', 'details'];
const CODE = /^[A-Za-z][\w.:-]{0,63}$/;

const isCode = (value: unknown, status: number): value is string | number =>
  (typeof value === 'string' && CODE.test(value)) || (Number.isSafeInteger(value) && value !== status);

/** Finds the machine-readable error code, such as `rateLimitExceeded`, in the body of an upstream's response. */
function codeIn(body: unknown, status: number, levels = MAX_LEVELS): string | undefined {
  if (levels === 0) return undefined;
  if (Array.isArray(body)) return codeIn(body[0], status, levels - 1);
  if (!isJsonObject(body)) return undefined;
  const own = CODE_FIELDS.map((field) => (Object.hasOwn(body, field) ? body[field] : undefined));
  const code = own.find((value) => isCode(value, status));
  if (code !== undefined) return String(code);
  for (const field of NESTED_FIELDS) {
    const nested = Object.hasOwn(body, field) ? codeIn(body[field], status, levels - 1) : undefined;
    if (nested !== undefined) return nested;
  }
  return undefined;
}

/** Returns the error text of a failed MCP result. It is in `content`, unlike the message of an HTTP error. */
function mcpTextIn(body: unknown): string | undefined {
  const content = isJsonObject(body) && Array.isArray(body['content']) ? body['content'][0] : undefined;
  const text = isJsonObject(content) ? content['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function messageIn({ body }: Refusal, { connector, input, userTexts }: FailedFacts): string | undefined {
  const said = declaredSentenceIn(body, connector?.errorText, MAX_SEARCHED_CHARACTERS) ?? mcpTextIn(body);
  if (said === undefined) return undefined;
  const searched = cutText(said, MAX_SEARCHED_CHARACTERS);
  // Drops the last word of a cut message, because the beginning of a secret does not look like a secret.
  const whole =
    searched.length > MAX_SEARCHED_CHARACTERS
      ? `${searched.slice(0, searched.lastIndexOf(' ') + 1)}…`
      : searched;
  const shown = hidePrivate(whole, [...valuesIn(input), ...userTexts]);
  return cutText(printableLine(shown.trim()), MAX_MESSAGE_CHARACTERS - 1) || undefined;
}

/** Returns the error code and the error message in the response by which the upstream refused a call. */
export function upstreamCause(
  refusal: Refusal,
  facts: FailedFacts,
): { readonly upstreamCode?: string; readonly upstreamMessage?: string } {
  if (facts.hidesUpstreamErrors) return {};
  const upstreamCode = codeIn(refusal.body, refusal.status);
  const upstreamMessage = messageIn(refusal, facts);
  return {
    ...(upstreamCode !== undefined && { upstreamCode }),
    ...(upstreamMessage !== undefined && { upstreamMessage }),
  };
}

const isOfResponse = (error: unknown): boolean =>
  error instanceof ResponseError || (error instanceof Error && isOfResponse(error.cause));

/**
 * Returns the response by which the upstream refused the call. Returns `undefined` if the error was thrown while a
 * successful response was read.
 */
function refusalOf(error: ServiceError): Refusal | undefined {
  const { status, body } = error.details ?? {};
  if (typeof status !== 'number' || body === undefined || isOfResponse(error)) return undefined;
  return status < 300 && typeof body === 'string' ? undefined : { status, body };
}

const nameOf = (value: unknown): string => printableLine(cutText(String(value ?? ''), MAX_NAME_CHARACTERS));

function fieldsOf({ details }: ServiceError) {
  const errors = details?.['errors'];
  if (!Array.isArray(errors)) return undefined;
  return errors
    .filter(isJsonObject)
    .slice(0, MAX_FIELDS)
    .map(({ field, rule }) => ({ field: nameOf(field), rule: nameOf(rule) }));
}

// Properties in the `details` of an error that give its reason in one word, with the most specific property first.
const REASONS = ['reason', 'limit', 'oauthError', 'statusReason', 'status'];

function reasonOf({ code, details = {} }: ServiceError): string | undefined {
  // Ignores the `reason` of a denied approval, because the person who denied the call wrote it as free text.
  const names = code === 'approval_denied' ? ['status'] : REASONS;
  const reason = names.map((name) => details[name]).find((value) => typeof value === 'string');
  return reason === undefined ? undefined : nameOf(reason);
}

/** Returns the id of the approval that the call waits for, or that a person denied. */
function approvalOf({ code, details }: ServiceError): string | undefined {
  const id = details?.['id'];
  return code.startsWith('approval_') && typeof id === 'string' ? id : undefined;
}

/** Describes the cause of a failed call as JSON. Returns `null` if only the error code is known. */
export function causeOf(error: ServiceError, facts: FailedFacts): string | null {
  const reason = reasonOf(error);
  const fields = fieldsOf(error);
  const refusal = refusalOf(error);
  const approvalId = approvalOf(error);
  const cause = {
    ...(reason !== undefined && { reason }),
    ...(fields && { fields }),
    ...(refusal && upstreamCause(refusal, facts)),
    ...(approvalId !== undefined && { approvalId }),
  };
  return Object.keys(cause).length === 0 ? null : JSON.stringify(cause);
}
