import type { FailureCode } from './failures.js';

interface MistakeOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Wrong call of the tested code, or wrong plan of the test. The call fails, and later `stop()` throws. */
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
