import type { FailureCode } from './failures.js';

interface MistakeOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What the tested code did wrong, or the test said wrongly: the call fails, and so does the end of the fake. */
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
