import type { FastifyInstance, FastifySchema } from 'fastify';
import { closed, named } from '../../listener/list-schema.js';
import type { NewPasskey, Passkeys } from '../../operators/passkeys.js';
import type { HostCookie } from '../host-cookie.js';
import { creationOptions, PASSKEY_BODY, registration } from './passkey-schemas.js';

interface PasskeysParts {
  readonly passkeys: Passkeys;
  readonly sessionCookie: HostCookie;
  readonly challengeCookie: HostCookie;
}

const ALL = '/session/passkeys';
const text = { type: 'string' };
const name = { ...text, minLength: 1, maxLength: 64, examples: ['Phone'] };
const id = { ...text, examples: ['pk_0193f2a8c4d17b3e9a5c6d7e8f901234'] };
const passkey = named(
  'Passkey',
  closed({
    id,
    name: { ...text, examples: ['Phone'] },
    createdAt: text,
    usedAt: { type: ['string', 'null'] },
  }),
);

const described = (summary: string, schema: FastifySchema) => ({
  schema: { tags: ['session'], summary, ...schema },
});
const change = (summary: string, schema: FastifySchema) => ({
  ...described(summary, schema),
  config: { isOwnSignIn: true },
});

function addRegistration(
  app: FastifyInstance,
  { passkeys, sessionCookie, challengeCookie }: PasskeysParts,
): void {
  app.post(
    `${ALL}/options`,
    change('Start adding a passkey', {
      operationId: 'beginPasskey',
      description: 'The response contains the options for navigator.credentials.create.',
      errors: ['conflict'],
      body: closed({}),
      response: { 200: creationOptions },
    }),
    async (request, reply) => {
      const { options, sealed } = await passkeys.request(sessionCookie.read(request) ?? '');
      challengeCookie.set(reply, sealed);
      return { options };
    },
  );
  app.post<{ Body: Omit<NewPasskey, 'sealed'> }>(
    ALL,
    {
      ...change('Add a passkey', {
        operationId: 'addPasskey',
        description: 'Send the passkey that the browser created. An operator can have at most 10 passkeys.',
        errors: ['conflict'],
        body: named('NewPasskey', closed({ name, credential: registration })),
        response: { 201: passkey },
      }),
      bodyLimit: PASSKEY_BODY,
    },
    async (request, reply) => {
      const sealed = challengeCookie.read(request);
      challengeCookie.clear(reply);
      reply.code(201);
      return passkeys.add(sessionCookie.read(request) ?? '', { ...request.body, sealed });
    },
  );
}

/** Adds routes that manage the passkeys of the signed-in operator. A hook of `app` must authenticate operators. */
export function addPasskeyManagement(app: FastifyInstance, parts: PasskeysParts): void {
  const { passkeys, sessionCookie } = parts;
  app.get(
    ALL,
    described('List your passkeys', {
      operationId: 'listPasskeys',
      description: 'Lists the passkeys of the signed-in operator.',
      response: { 200: named('PasskeyList', closed({ items: { type: 'array', items: passkey } })) },
    }),
    async (request) => ({ items: await passkeys.list(sessionCookie.read(request) ?? '') }),
  );
  addRegistration(app, parts);
  app.delete<{ Params: { id: string } }>(
    `${ALL}/:id`,
    change('Remove one of your passkeys', {
      operationId: 'removePasskey',
      description: 'The operator can no longer sign in with the passkey.',
      errors: ['not_found'],
      params: closed({ id: { ...id, minLength: 1, maxLength: 256, description: 'Id of the passkey.' } }),
      response: { 204: { type: 'null' } },
    }),
    async (request, reply) => {
      await passkeys.remove(sessionCookie.read(request) ?? '', request.params.id);
      return reply.code(204).send();
    },
  );
}
