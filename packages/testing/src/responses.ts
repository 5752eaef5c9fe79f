import { type FailureCode, failureStatus } from './failures.js';

/** Status, body and headers of a fake response of the service. */
export type FakeResponse = readonly [status: number, body: object, headers: Record<string, string>];

let count = 0;

/** Creates an id that is unique in this process. */
export function newId(prefix: string): string {
  count += 1;
  return `${prefix}_fake${count}`;
}

export const succeeded = (body: object): FakeResponse => [200, body, { 'svc-request-id': newId('req') }];

interface Failed {
  readonly code: FailureCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export function failed({ code, message, details }: Failed): FakeResponse {
  const requestId = newId('req');
  const retryAfter = details?.['retryAfter'] ?? 0;
  const headers = { 'svc-request-id': requestId, 'svc-error': code, 'retry-after': String(retryAfter) };
  return [failureStatus(code, details), { error: { code, message, details, requestId } }, headers];
}
