import type { FastifyInstance } from 'fastify';
import type { OperatorRole } from '../../operators/operator-role.js';
import type { Operators } from '../../operators/operators.js';
import type { SignInLinks } from '../../operators/sign-in-links.js';
import { closed } from '../list-schema.js';
import { role } from './session-schema.js';

interface ByName {
  readonly Params: { readonly name: string };
}

const ONE = '/operators/:name';
const text = { type: 'string' };
const nothing = { type: 'null' };
const name = { ...text, minLength: 1, maxLength: 64 };
const link = {
  link: { ...text, description: 'One-time link to sign in and set a password. It is not shown again.' },
  expiresAt: text,
};
const properties = { name: text, role, createdAt: text, signedInAt: { type: ['string', 'null'] } };
const operator = closed(properties);

const forOwners = (summary: string, schema: object) => ({
  schema: { tags: ['operators'], summary, ...schema },
  config: { neededRole: 'owner' as const },
});
const ofName = { params: closed({ name }) };

function addCollection(app: FastifyInstance, operators: Operators): void {
  const response = { 200: closed({ items: { type: 'array', items: operator } }) };
  app.get(
    '/operators',
    { schema: { tags: ['operators'], summary: 'List the operators', response } },
    async () => ({
      items: await operators.list(),
    }),
  );
  app.post<{ Body: { name: string; role: OperatorRole } }>(
    '/operators',
    forOwners('Create an operator, with a one-time link to sign in and set a password', {
      body: closed({ name, role }),
      response: { 201: closed({ ...properties, ...link }) },
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
    forOwners('Change the role of an operator, with immediate effect', {
      ...ofName,
      body: closed({ role }),
      response: { 200: operator },
    }),
    ({ params, body }) => operators.changeRole(params.name, body.role),
  );
  app.delete<ByName>(
    ONE,
    forOwners('Delete an operator and end its sessions', { ...ofName, response: { 204: nothing } }),
    async ({ params }, reply) => {
      await operators.delete(params.name);
      return reply.code(204).send();
    },
  );
  app.post<ByName>(
    `${ONE}/sign-in-link`,
    forOwners('Create a one-time link for an operator to sign in and set a password', {
      ...ofName,
      response: { 201: closed(link) },
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
