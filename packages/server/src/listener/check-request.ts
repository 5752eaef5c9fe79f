import type { BrokenRule } from '@svc/catalog';
import type { AnySchema, ValidateFunction } from 'ajv';
import { explainProblems } from './explain-problems.js';

// Maximum number of values in a request for which all problems are collected. Collecting them in a larger request would
// cost more than handling it.
const MAX_PARTS = 1000;

interface Outcome {
  readonly error?: readonly BrokenRule[];
}

/** Validates one part of a request, such as its body. */
export type CheckRequest = (value: unknown) => Outcome;

/** Returns whether a value contains more than MAX_PARTS nested values. Stops counting at that number. */
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

/** Validators that ajv compiled from the schema of one part of a request: its body, query or path. */
export interface CompiledRequest {
  /** Validator that stops at the first problem. */
  readonly isValid: () => ValidateFunction;
  readonly listProblems: () => ValidateFunction;
}

/** Part of a request, such as `body`, and its schema. */
interface RequestPart {
  readonly schema: AnySchema;
  readonly part: string | undefined;
}

/**
 * Creates a validation that reports up to 20 problems. A fast validator stops at the first problem, and a second one
 * lists the others. Each is compiled at its first use.
 */
export function createCheckRequest(compiled: CompiledRequest, { schema, part }: RequestPart): CheckRequest {
  let isValid: ValidateFunction | undefined;
  let listProblems: ValidateFunction | undefined;
  return (value) => {
    isValid ??= compiled.isValid();
    if (isValid(value)) return {};
    let problems = isValid.errors ?? [];
    if (!isLarge(value)) {
      listProblems ??= compiled.listProblems();
      if (!listProblems(value)) problems = listProblems.errors ?? problems;
    }
    return { error: explainProblems(problems, { part, schema, value }) };
  };
}
