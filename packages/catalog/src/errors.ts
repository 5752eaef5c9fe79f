import type { VersionStatus } from './tool.js';

/** Problem in a file of the catalogue. */
export interface Problem {
  /** Path of the catalogue file with the problem. */
  readonly path: string;
  /** Path of the problem in the file, such as `versions[0].request.path`; empty for the whole file. */
  readonly where: string;
  readonly reason: string;
}

/** Error for an unusable catalogue. `problems` lists everything that is wrong in all of its files. */
export class CatalogError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems.map(({ path, where, reason }) => `${path}: ${where || 'whole file'}: ${reason}`).join('\n'),
    );
    this.name = 'CatalogError';
    this.problems = problems;
  }
}

/** Version of a tool: its schema version, its tool version and its support status. */
export interface AvailableVersion {
  readonly schemaVersion: string;
  readonly toolVersion: string;
  readonly status: VersionStatus;
}

/** Error for a version that the tool does not have. `available` lists its versions. */
export class UnknownVersionError extends Error {
  readonly available: readonly AvailableVersion[];

  constructor(message: string, available: readonly AvailableVersion[]) {
    super(message);
    this.name = 'UnknownVersionError';
    this.available = available;
  }
}

/** Rule of a schema that an input breaks. */
export interface BrokenRule {
  /** Path of the input field, such as `blocks[3].type`; empty for the whole input. */
  readonly field: string;
  /** Keyword of the schema that the value breaks, such as `required`. */
  readonly rule: string;
  /** Message that names the field, the broken rule and the correction. */
  readonly message: string;
  /** JSON kind of the given value: string, number, boolean, array, object or null. Never the value itself. */
  readonly received?: string;
}

/** Error for an invalid input. `errors` lists the first twenty broken rules. */
export class InvalidInputError extends Error {
  readonly errors: readonly BrokenRule[];

  constructor(errors: readonly BrokenRule[]) {
    const reasons = errors.map(({ message }) => message).join('; ');
    super(`The input is not valid: ${reasons}${reasons.endsWith('?') ? '' : '.'}`);
    this.name = 'InvalidInputError';
    this.errors = errors;
  }
}

/** Error for an upstream response that reports success but lacks data that the tool needs. */
export class ResponseError extends Error {
  readonly code: 'upstream_failed' | 'not_found';
  readonly response: unknown;

  constructor(message: string, response: unknown, code: ResponseError['code'] = 'upstream_failed') {
    super(message);
    this.name = 'ResponseError';
    this.code = code;
    this.response = response;
  }
}
