import type { ServiceEvent } from './service-event.js';

/** Object that returns a header by its name in lower case, such as the platform's `Headers`. */
interface HeaderReader {
  get(name: string): string | null | undefined;
}

/**
 * Headers of a webhook request: an object with the method `get`, such as `Headers`, or an object with names and values,
 * such as Node's `request.headers`.
 */
export type WebhookHeaders = HeaderReader | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options for verifying a webhook request. */
export interface VerifyOptions {
  /**
   * Maximum difference in seconds between the time of the request and the clock of this machine, so that nobody can
   * send an old request again. Default: 300.
   */
  toleranceSeconds?: number | undefined;
}

/** Reason why a webhook request was refused. */
export type WebhookProblem = 'headers' | 'timestamp' | 'signature' | 'secret' | 'body';

const MESSAGES: Readonly<Record<WebhookProblem, string>> = {
  headers:
    'The headers webhook-id, webhook-timestamp and webhook-signature are missing or invalid. Respond with 400.',
  timestamp:
    'The header webhook-timestamp differs too much from the clock of this machine. Respond with 400, and check the clock.',
  signature:
    'No signature in the header webhook-signature matches a secret of the webhook endpoint. Respond with 400, and check that the body is unchanged and the secret is current.',
  secret:
    'The secret is not a signing secret. Use the whole secret of the webhook endpoint, which begins with whsec_.',
  body: 'The body of the webhook request is not an event. Respond with 400.',
};

/** Thrown by `verifyWebhook` for a request that does not come from the service. */
export class WebhookError extends Error {
  /** Reason why the request was refused. */
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, options?: ErrorOptions) {
    super(MESSAGES[problem], options);
    this.name = 'WebhookError';
    this.problem = problem;
  }
}

const PREFIX = 'whsec_';
const VERSION = 'v1,';
/** Maximum number of compared signatures. The service sends two during a rotation of the secret. */
const MOST_SIGNATURES = 8;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

function readHeader(headers: WebhookHeaders, name: string): string {
  // Looks for the method, because some frameworks have a Headers class of their own.
  const { get } = headers as Partial<HeaderReader>;
  if (typeof get === 'function') return get.call(headers, name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return String(entry?.[1] ?? '');
}

function decodeBase64(text: string, problem: WebhookProblem): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new WebhookError(problem, { cause });
  }
}

function importSecret(secret: string) {
  if (!secret.startsWith(PREFIX)) throw new WebhookError('secret');
  const key = decodeBase64(secret.slice(PREFIX.length), 'secret');
  return crypto.subtle.importKey('raw', key, HMAC, false, ['verify']);
}

/** Returns the signatures of the supported version. Other versions are ignored, as Standard Webhooks requires. */
const signaturesIn = (header: string) =>
  header
    .split(' ')
    .filter((signature) => signature.startsWith(VERSION))
    .slice(0, MOST_SIGNATURES)
    .map((signature) => decodeBase64(signature.slice(VERSION.length), 'signature'));

function checkTimestamp(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookError('headers');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) throw new WebhookError('timestamp');
}

/** Returns whether a signature matches a secret. Web Crypto compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await importSecret(secret);
    for (const signature of signatures)
      if (await crypto.subtle.verify(HMAC, key, signature, content)) return true;
  }
  return false;
}

function readEvent(id: string, body: Uint8Array): ServiceEvent {
  try {
    const { type, timestamp, data } = JSON.parse(decoder.decode(body));
    if (
      typeof type === 'string' &&
      typeof timestamp === 'string' &&
      typeof data === 'object' &&
      data !== null
    )
      // The assertion is safe, because the service signed the event. A newer service may send types that this union
      // does not have.
      return { id, type, timestamp, data } as ServiceEvent;
  } catch (cause) {
    throw new WebhookError('body', { cause });
  }
  throw new WebhookError('body');
}

/** Returns the bytes of a body. Throws `TypeError` for any other value, such as JSON that a framework has parsed. */
function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError(
    'verifyWebhook needs the unchanged body of the request as text or bytes. Do not parse the body before.',
  );
}

/**
 * Verifies a webhook request of the service and returns its event. Throws `WebhookError` for any other request. `body`:
 * the unchanged bytes or text of the request. `secrets`: the secret of the endpoint, or several during a rotation.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<ServiceEvent> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  if (id === '') throw new WebhookError('headers');
  checkTimestamp(timestamp, toleranceSeconds);
  const bytes = bytesOf(body);
  const start = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + bytes.length);
  content.set(start);
  content.set(bytes, start.length);
  const signatures = signaturesIn(readHeader(headers, 'webhook-signature'));
  const known = typeof secrets === 'string' ? [secrets] : secrets;
  if (!(await isSigned(content, signatures, known))) throw new WebhookError('signature');
  return readEvent(id, bytes);
}
