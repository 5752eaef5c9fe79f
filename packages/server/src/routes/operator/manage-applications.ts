import type { FastifyInstance } from 'fastify';
import type { ApplicationSettings } from '../../applications/application.js';
import type { Applications } from '../../applications/applications.js';
import type { RemoveApplication } from '../../applications/remove-application.js';
import type { PageRequest } from '../../page.js';
import { closed, pageOf, pageQuery } from '../list-schema.js';

interface Identified {
  readonly Params: { readonly applicationId: string };
}

interface Secret {
  readonly Params: { readonly applicationId: string; readonly secretId: string };
}

const ALL = '/applications';
const ONE = `${ALL}/:applicationId`;
const SECRETS = `${ONE}/client-secrets`;

const text = { type: 'string' };
const id = { ...text, minLength: 1, maxLength: 256 };
const nothing = { type: 'null' };
const urls = { type: 'array', items: text };

const settings = {
  production: { type: 'boolean' },
  verifyUrl: { type: ['string', 'null'] },
  redirectUrls: urls,
  origins: { ...urls, description: 'Origins of web pages that may call the service from a browser.' },
  allowTokenImport: {
    type: 'boolean',
    description: 'True to let the application import OAuth tokens that it already has. Off by default.',
  },
  logo: {
    type: ['string', 'null'],
    description: 'A PNG or SVG image: data:image/png;base64,… or data:image/svg+xml;base64,….',
  },
};
const properties = { id: text, name: text, ...settings, createdAt: text };
export const applicationSchema = closed(properties);
const withSecret = closed({ ...properties, clientSecret: text });
const secret = { id: text, createdAt: text, revokedAt: { type: ['string', 'null'] } };
const secrets = closed({ items: { type: 'array', items: closed(secret) } });

const described = (summary: string, schema: object) => ({
  schema: { tags: ['applications'], summary, ...schema },
});
const params = closed({ applicationId: id });

function addCollection(app: FastifyInstance, applications: Applications): void {
  app.get<{ Querystring: PageRequest }>(
    ALL,
    described('List the applications', {
      querystring: pageQuery(),
      response: { 200: pageOf(applicationSchema) },
    }),
    ({ query }) => applications.list(query),
  );
  app.post<{ Body: ApplicationSettings & { readonly name: string } }>(
    ALL,
    described('Create an application; its client secret is shown once', {
      body: closed({ name: text, ...settings }, ['name']),
      response: { 201: withSecret },
    }),
    async ({ body: { name, ...settings } }, reply) => {
      const { id, clientSecret } = await applications.create(name, settings);
      reply.code(201);
      return { ...(await applications.get(id)), clientSecret };
    },
  );
}

function addOne(
  app: FastifyInstance,
  applications: Applications,
  removeApplication: RemoveApplication,
): void {
  app.get<Identified>(
    ONE,
    described('Get an application', { params, response: { 200: applicationSchema } }),
    ({ params: { applicationId } }) => applications.get(applicationId),
  );
  app.patch<Identified & { Body: ApplicationSettings }>(
    ONE,
    described('Change an application', {
      params,
      body: closed({ name: text, ...settings }, []),
      response: { 200: applicationSchema },
    }),
    ({ params: { applicationId }, body }) => applications.change(applicationId, body),
  );
  app.delete<Identified>(
    ONE,
    described('Delete an application with everything that it owns', { params, response: { 204: nothing } }),
    async ({ params: { applicationId } }, reply) => {
      await removeApplication(applicationId);
      return reply.code(204).send();
    },
  );
}

function addSecrets(app: FastifyInstance, applications: Applications): void {
  app.get<Identified>(
    SECRETS,
    described("List an application's client secrets, without their values", {
      params,
      response: { 200: secrets },
    }),
    async ({ params: { applicationId } }) => ({ items: await applications.listClientSecrets(applicationId) }),
  );
  app.post<Identified>(
    SECRETS,
    described('Create a client secret; it is shown once', {
      params,
      response: { 201: closed({ id: text, clientSecret: text }) },
    }),
    async ({ params: { applicationId } }, reply) => {
      reply.code(201);
      return applications.addClientSecret(applicationId);
    },
  );
  app.delete<Secret>(
    `${SECRETS}/:secretId`,
    described('Revoke a client secret', {
      params: closed({ applicationId: id, secretId: id }),
      response: { 204: nothing },
    }),
    async ({ params: { applicationId, secretId } }, reply) => {
      await applications.revokeClientSecret(applicationId, secretId);
      return reply.code(204).send();
    },
  );
}

/** Adds routes that manage applications and their client secrets. A hook of `app` must authenticate operators. */
export function addApplicationManagement(
  app: FastifyInstance,
  {
    applications,
    removeApplication,
  }: { readonly applications: Applications; readonly removeApplication: RemoveApplication },
): void {
  addCollection(app, applications);
  addOne(app, applications, removeApplication);
  addSecrets(app, applications);
}
