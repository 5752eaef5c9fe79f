import type { AnySchema } from 'ajv';
import type { FastifyServerOptions } from 'fastify';
import { createAnswerText } from './answer-text.js';
import type { RequestChecks } from './find-request-check.js';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

interface RequestSchema {
  readonly schema: AnySchema;
  readonly httpPart?: string;
}

/** Given to the framework at once, so that it does not load compilers of its own. */
function controlledBy(
  check: (request: RequestSchema) => unknown,
  write: (answer: { readonly schema: object }) => (value: unknown) => string,
): SchemaController {
  const compilersFactory = { buildValidator: () => check, buildSerializer: () => write };
  // The framework's types are those of its own compilers, which know more of ajv than it asks of others.
  return {
    compilersFactory: compilersFactory as unknown as NonNullable<SchemaController['compilersFactory']>,
  };
}

/** How requests are checked and answers are written. */
export const compileFor = ({ find }: RequestChecks): SchemaController =>
  controlledBy(
    ({ schema, httpPart }) => find(schema, httpPart),
    ({ schema }) => createAnswerText(schema),
  );

/** For a server that answers nobody. */
export const compileNothing = (): SchemaController =>
  controlledBy(
    () => () => true,
    () => () => '',
  );
