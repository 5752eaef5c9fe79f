import type { FastifyInstance, FastifySchema } from 'fastify';
import { closed, named } from '../../listener/list-schema.js';
import type { OperatorRole } from '../../operators/operator-role.js';
import type { Operators } from '../../operators/operators.js';
import type { SignInLinks } from '../../operators/sign-in-links.js';
import { ifMatchOf } from '../add-etags.js';
import { etagSchema } from '../etag-schema.js';
import { role } from './session-schema.js';

interface ByName {
  readonly Params: { readonly name: string };
}

const ONE = '/operators/:name';
const text = { type: 'string' };
const nothing = { type: 'null' };
const name = {
  ...text,
  minLength: 1,
  maxLength: 64,
  description: 'Name of the operator.',
  examples: ['grace'],
};
const link = {
  link: {
    ...text,
    description: 'One-time link to sign in and set a password. Only this response contains the link.',
    examples: ['http://localhost:4400/dashboard/sign-in#K3v9'],
  },
  expiresAt: text,
};
const properties = {
  name: { ...text, examples: ['grace'] },
  role,
  createdAt: text,
  signedInAt: { type: ['string', 'null'] },
  etag: etagSchema,
};
const operator = named('Operator', closed(properties));

const forOwners = (summary: string, schema: FastifySchema) => ({
  schema: { tags: ['operators'], summary, ...schema },
  config: { neededRole: 'owner' as const },
});
const ofName = { params: closed({ name }) };

function addCollection(app: FastifyInstance, operators: Operators): void {
  const response = {
    200: named('OperatorList', closed({ items: { type: 'array', items: operator } })),
  };
  const list: FastifySchema = {
    operationId: 'listOperators',
    tags: ['operators'],
    summary: 'List the operators',
    description: 'The operators are sorted by their names.',
    response,
  };
  app.get('/operators', { schema: list }, async () => ({
    items: await operators.list(),
  }));
  app.post<{ Body: { name: string; role: OperatorRole } }>(
    '/operators',
    forOwners('Create an operator', {
      operationId: 'createOperator',
      description: 'The response contains a one-time link to sign in and set a password.',
      errors: ['conflict'],
      body: named('NewOperator', closed({ name, role })),
      response: { 201: named('InvitedOperator', closed({ ...properties, ...link })) },
    }),
    async ({ body }, reply) => {
      reply.code(201);
      return operators.invite(body.name, body.role);
    },
  );
}

function addOne(app: FastifyInstance, operators: Operators, signInLinks: SignInLinks): void {
  app.patch<ByName & { Body: { role: OperatorRole } }>(
    ONE,
    forOwners('Change the role of an operator', {
      operationId: 'changeOperatorRole',
      description:
        'The change has immediate effect. You cannot change the role of the last operator with the role `owner`.',
      errors: ['not_found', 'conflict'],
      ...ofName,
      body: named('OperatorChange', closed({ role })),
      response: { 200: operator },
    }),
    (request) => operators.changeRole(request.params.name, request.body.role, ifMatchOf(request)),
  );
  app.delete<ByName>(
    ONE,
    forOwners('Delete an operator', {
      operationId: 'deleteOperator',
      description:
        'Deletes the operator and ends all sessions of the operator. You cannot delete the last operator with the role `owner`.',
      errors: ['not_found', 'conflict'],
      ...ofName,
      response: { 204: nothing },
    }),
    async ({ params }, reply) => {
      await operators.delete(params.name);
      return reply.code(204).send();
    },
  );
  app.post<ByName>(
    `${ONE}/sign-in-link`,
    forOwners('Create a sign-in link for an operator', {
      operationId: 'createOperatorSignInLink',
      description: 'With the link in the response, the operator signs in once and sets a password.',
      errors: ['not_found'],
      ...ofName,
      response: { 201: named('SignInLink', closed(link)) },
    }),
    async ({ params }, reply) => {
      reply.code(201);
      return signInLinks.create(params.name);
    },
  );
}

/** Adds routes that manage the operators of the service. A hook of `app` must authenticate operators. */
export function addOperatorManagement(
  app: FastifyInstance,
  { operators, signInLinks }: { readonly operators: Operators; readonly signInLinks: SignInLinks },
): void {
  addCollection(app, operators);
  addOne(app, operators, signInLinks);
}
