import type { ErrorObject, ValidateFunction } from 'ajv';

/** So many problems of a request are told at most: a thousand unknown keys are one mistake. */
const MAX_PROBLEMS = 20;
// Whoever sends more parts than this made no slip of the pen: collecting every problem would cost more than the request.
const MAX_PARTS = 1000;

interface Outcome {
  readonly error?: ErrorObject[];
}

/** Says what is wrong with a part of a request. */
export type CheckRequest = (value: unknown) => Outcome;

/** Whether a value has more parts than are worth a list of problems. Looks at no more of them than that. */
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

/** What ajv makes of the schema of a part of a request. */
export interface CompiledRequest {
  /** Stops at the first problem. */
  readonly isValid: () => ValidateFunction;
  readonly listProblems: () => ValidateFunction;
}

/** Tells every problem of a request, within reason. Each function is made when it is first needed. */
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
