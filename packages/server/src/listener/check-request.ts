import type { ErrorObject, ValidateFunction } from 'ajv';

/** Maximum number of problems in one error. More would not help the caller. */
const MAX_PROBLEMS = 20;
// Maximum number of parts of a value whose problems are all collected. Beyond it, collecting would cost more than the request.
const MAX_PARTS = 1000;

interface Outcome {
  readonly error?: ErrorObject[];
}

/** Finds the problems of one part of a request. */
export type CheckRequest = (value: unknown) => Outcome;

/** Checks whether a value has more than MAX_PARTS parts. Looks at no more parts than that. */
function isLarge(value: unknown): boolean {
  const values = [value];
  let parts = 0;
  while (parts <= MAX_PARTS && values.length > 0) {
    const next = values.pop();
    parts += 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      parts += 1;
      if (parts > MAX_PARTS) return true;
      values.push(Reflect.get(next, key));
    }
  }
  return parts > MAX_PARTS;
}

/** The validators that ajv compiles from the schema of one part of a request. */
export interface CompiledRequest {
  /** Stops at the first problem. */
  readonly isValid: () => ValidateFunction;
  readonly listProblems: () => ValidateFunction;
}

/** Reports up to 20 problems of a request. Each validator is created when it is first needed. */
export function createCheckRequest(compiled: CompiledRequest): CheckRequest {
  let isValid: ValidateFunction | undefined;
  let listProblems: ValidateFunction | undefined;
  return (value) => {
    isValid ??= compiled.isValid();
    if (isValid(value)) return {};
    const firstOnly = isValid.errors ?? [];
    if (isLarge(value)) return { error: firstOnly };
    listProblems ??= compiled.listProblems();
    if (listProblems(value)) return { error: firstOnly };
    return { error: (listProblems.errors ?? firstOnly).slice(0, MAX_PROBLEMS) };
  };
}
