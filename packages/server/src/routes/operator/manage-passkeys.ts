import type { FastifyInstance } from 'fastify';
import type { NewPasskey, Passkeys } from '../../operators/passkeys.js';
import type { HostCookie } from '../host-cookie.js';
import { closed } from '../list-schema.js';
import { creationOptions, PASSKEY_BODY, registration } from './passkey-schemas.js';

interface PasskeysParts {
  readonly passkeys: Passkeys;
  readonly sessionCookie: HostCookie;
  readonly challengeCookie: HostCookie;
}

const ALL = '/session/passkeys';
const text = { type: 'string' };
const name = { ...text, minLength: 1, maxLength: 64 };
const passkey = closed({ id: text, name: text, createdAt: text, usedAt: { type: ['string', 'null'] } });

const described = (summary: string, schema: object) => ({
  schema: { tags: ['session'], summary, ...schema },
});
const change = (summary: string, schema: object) => ({
  ...described(summary, schema),
  config: { isOwnSignIn: true },
});

function addRegistration(
  app: FastifyInstance,
  { passkeys, sessionCookie, challengeCookie }: PasskeysParts,
): void {
  app.post(
    `${ALL}/options`,
    change('Start adding a passkey: get the options for the browser', {
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
      ...change('Add the passkey that the browser created; the limit is 10', {
        body: closed({ name, credential: registration }),
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
      response: { 200: closed({ items: { type: 'array', items: passkey } }) },
    }),
    async (request) => ({ items: await passkeys.list(sessionCookie.read(request) ?? '') }),
  );
  addRegistration(app, parts);
  app.delete<{ Params: { id: string } }>(
    `${ALL}/:id`,
    change('Remove one of your passkeys', {
      params: closed({ id: { ...name, maxLength: 256 } }),
      response: { 204: { type: 'null' } },
    }),
    async (request, reply) => {
      await passkeys.remove(sessionCookie.read(request) ?? '', request.params.id);
      return reply.code(204).send();
    },
  );
}
