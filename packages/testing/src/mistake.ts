import type { FailureCode } from './failures.js';

interface MistakeOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * Error for a wrong call of the tested code, or for a wrong plan of the test. The call fails with this error, and
 * `stop()` of the fake service throws it again.
 */
export class Mistake extends Error {
  override name = 'Mistake';
  readonly code: FailureCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: FailureCode, message: string, { details, cause }: MistakeOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}
