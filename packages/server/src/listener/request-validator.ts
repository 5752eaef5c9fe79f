import { Ajv, type AnySchema, type ErrorObject } from 'ajv';

/** So many problems of a request are told at most: a thousand unknown keys are one mistake. */
const MAX_PROBLEMS = 20;
// Whoever sends more parts than this made no slip of the pen: collecting every problem would cost more than the request.
const MAX_PARTS = 1000;

interface Outcome {
  readonly error?: ErrorObject[];
}

type Validate = (value: unknown) => Outcome;

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

// The schemas are ours, and test/openapi.test.ts shows that they are sound: to compile the schema of schemas takes 50 ms.
const TRUSTED = { meta: false, validateSchema: false } as const;

function createAjv(options: { readonly allErrors: boolean; readonly coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({ ...options, ...TRUSTED, useDefaults: true, removeAdditional: false });
  ajv.addVocabulary(['example', 'xml']);
  return ajv;
}

function createCompile(coerceTypes: boolean): (schema: AnySchema) => Validate {
  const first = createAjv({ allErrors: false, coerceTypes });
  const all = createAjv({ allErrors: true, coerceTypes });
  return (schema) => {
    const isValid = first.compile(schema);
    return (value) => {
      if (isValid(value)) return {};
      const firstOnly = isValid.errors ?? [];
      if (isLarge(value)) return { error: firstOnly };
      // Once: the same schema has the same function.
      const listProblems = all.compile(schema);
      if (listProblems(value)) return { error: firstOnly };
      return { error: (listProblems.errors ?? firstOnly).slice(0, MAX_PROBLEMS) };
    };
  };
}

/** Compiles the schemas of requests. Bodies say what they mean; a query or a path has only strings, so numbers are read from those. */
export function createRequestValidators(): (schema: AnySchema, part: string | undefined) => Validate {
  const ofBody = createCompile(false);
  const ofStrings = createCompile(true);
  return (schema, part) => (part === 'body' ? ofBody : ofStrings)(schema);
}
