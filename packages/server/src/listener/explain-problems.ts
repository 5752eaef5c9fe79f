import { type BrokenRule, brokenRules, isJsonObject } from '@svc/catalog';
import type { AnySchema, ErrorObject } from 'ajv';
import { wordsOfPattern } from '../text/text-forms.js';

/** Names of the parts of a request in messages, by Fastify's name. */
const PART_NAMES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' };

/** Returns the name of a part of a request in messages, such as "the query". */
export const subjectOf = (part: string | undefined): string =>
  `the ${PART_NAMES[part ?? ''] ?? part ?? 'request'}`;

/** Returns the names and indexes in a JSON pointer or in a schema path of ajv, whose steps are also URI-encoded. */
const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (pointer.startsWith('#') ? decodeURIComponent(step) : step))
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns a value and all values on the path below it, the last one first. */
function valuesOnPath(root: unknown, steps: readonly string[]): readonly unknown[] {
  const values = [root];
  for (const step of steps) {
    const value = values[0];
    const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    values.unshift(isParent ? Reflect.get(value, step) : undefined);
  }
  return values;
}

/** Problem with the schemas that contain the broken keyword, from the inner one to the outer one. */
interface Located {
  readonly error: ErrorObject;
  readonly schemas: readonly unknown[];
}

/** Adds the schema and the data to a problem. Ajv itself adds them only with larger validators. */
function locate(problem: ErrorObject, schema: AnySchema, value: unknown): Located {
  const [keyword, ...schemas] = valuesOnPath(schema, stepsOf(problem.schemaPath));
  const [data] = valuesOnPath(value, stepsOf(problem.instancePath));
  const parentSchema = isJsonObject(schemas[0]) ? schemas[0] : {};
  return { error: { ...problem, schema: keyword, parentSchema, data }, schemas };
}

const isBelow = ({ instancePath }: ErrorObject, path: string): boolean =>
  instancePath === path || instancePath.startsWith(`${path}/`);

/** Checked part of a request, with its schema and the name of the part in Fastify. */
interface CheckedPart {
  readonly part: string | undefined;
  readonly schema: AnySchema;
  readonly value: unknown;
}

/** Converts ajv's problems with a part of a request to messages, one for each broken rule. */
export function explainProblems(
  problems: readonly ErrorObject[],
  { part, schema, value }: CheckedPart,
): readonly BrokenRule[] {
  const located = problems.map((problem) => locate(problem, schema, value));
  return brokenRules(
    located.map(({ error }) => error),
    {
      // The problems contain those of all branches of a union, because a union fails only if all branches fail.
      examine: (branch, _data, instancePath) =>
        located
          .filter(({ error, schemas }) => schemas.includes(branch) && isBelow(error, instancePath))
          .map(({ error }) => error),
      subject: subjectOf(part),
      wordsOfPattern,
    },
  );
}
