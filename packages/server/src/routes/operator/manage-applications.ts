import type { FastifyInstance, FastifySchema } from 'fastify';
import type { ApplicationSettings } from '../../applications/application.js';
import type { Applications } from '../../applications/applications.js';
import type { RemoveApplication } from '../../applications/remove-application.js';
import { closed, named, pageOf, pageQuery } from '../../listener/list-schema.js';
import type { PageRequest } from '../../page.js';
import { ifMatchOf } from '../add-etags.js';
import { etagSchema } from '../etag-schema.js';
import { countSchema } from './count-schema.js';

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
const SECRET_ID = 'secret_0193f2a8c4d17b3e9a5c6d7e8f901234';
const clientSecret = {
  ...text,
  description: 'Client secret of the application. Only this response contains the client secret.',
  examples: ['svc_secret_Z9kq'],
};
const nothing = { type: 'null' };
const urls = { type: 'array', items: { ...text, examples: ['https://app.example.com/connected'] } };

const settings = {
  production: { type: 'boolean' },
  verifyUrl: { type: ['string', 'null'] },
  redirectUrls: urls,
  origins: {
    type: 'array',
    items: { ...text, examples: ['https://app.example.com'] },
    description: 'Origins of web pages that may call the service from a browser.',
  },
  allowTokenImport: {
    type: 'boolean',
    description: 'True to let the application import OAuth tokens that it already has. Default: false.',
  },
  color: {
    type: ['string', 'null'],
    description: 'Color of the main button on the connect pages, such as #0f6b5c.',
  },
  logo: {
    type: ['string', 'null'],
    description:
      'Logo on the connect pages, as a PNG or SVG image in a data URL: data:image/png;base64,… or data:image/svg+xml;base64,….',
  },
};
const properties = {
  id: { ...text, examples: ['app_0193f2a8c4d17b3e9a5c6d7e8f901234'] },
  name: { ...text, examples: ['Planner'] },
  ...settings,
  createdAt: text,
  etag: etagSchema,
};
const EXAMPLE = { id: 'app_0193f2a8c4d17b3e9a5c6d7e8f901234', name: 'Planner' };
export const applicationSchema = named('Application', closed(properties), EXAMPLE);
const withSecret = named('CreatedApplication', closed({ ...properties, clientSecret }), EXAMPLE);
const secret = {
  id: { ...text, examples: [SECRET_ID] },
  createdAt: text,
  revokedAt: { type: ['string', 'null'] },
};
const secrets = named(
  'ClientSecretList',
  closed({ items: { type: 'array', items: named('ClientSecret', closed(secret)) } }),
);

const described = (summary: string, schema: FastifySchema) => ({
  schema: { tags: ['applications'], summary, ...schema },
});
const applicationId = { ...id, description: 'Id of the application.' };
const params = closed({ applicationId });

function addCollection(app: FastifyInstance, applications: Applications): void {
  app.get<{ Querystring: PageRequest }>(
    ALL,
    described('List the applications', {
      operationId: 'listApplications',
      description: 'Lists the oldest application first.',
      querystring: pageQuery(),
      response: { 200: pageOf(applicationSchema) },
    }),
    ({ query }) => applications.list(query),
  );
  const counted = { operation: 'Applications', tag: 'applications', things: 'applications' };
  app.get(`${ALL}/count`, { schema: countSchema(counted) }, () => applications.count());
  app.post<{ Body: ApplicationSettings & { readonly name: string } }>(
    ALL,
    described('Create an application', {
      operationId: 'createApplication',
      description: 'The response contains the client secret of the application, which is not shown again.',
      errors: ['conflict'],
      body: named('NewApplication', closed({ name: text, ...settings }, ['name']), { name: 'Planner' }),
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
    described('Get an application', {
      operationId: 'getApplication',
      description: 'The response contains no secrets.',
      params,
      response: { 200: applicationSchema },
    }),
    ({ params: { applicationId } }) => applications.get(applicationId),
  );
  app.patch<Identified & { Body: ApplicationSettings }>(
    ONE,
    described('Change an application', {
      operationId: 'updateApplication',
      description: 'Omitted settings stay unchanged.',
      errors: ['conflict'],
      params,
      body: named('ApplicationSettings', closed({ name: text, ...settings }, []), { name: 'Planner' }),
      response: { 200: applicationSchema },
    }),
    (request) => applications.change(request.params.applicationId, request.body, ifMatchOf(request)),
  );
  app.delete<Identified>(
    ONE,
    described('Delete an application', {
      operationId: 'deleteApplication',
      description: 'Deletes everything that the application owns, such as connections and accounts.',
      params,
      response: { 204: nothing },
    }),
    async ({ params: { applicationId } }, reply) => {
      await removeApplication(applicationId);
      return reply.code(204).send();
    },
  );
}

function addSecrets(app: FastifyInstance, applications: Applications): void {
  app.get<Identified>(
    SECRETS,
    described('List the client secrets of an application', {
      operationId: 'listClientSecrets',
      description: 'Lists the client secrets of the application without their values.',
      params,
      response: { 200: secrets },
    }),
    async ({ params: { applicationId } }) => ({ items: await applications.listClientSecrets(applicationId) }),
  );
  app.post<Identified>(
    SECRETS,
    described('Create a client secret', {
      operationId: 'createClientSecret',
      description: 'The response contains the client secret, which is not shown again.',
      errors: ['conflict'],
      params,
      response: {
        201: named('CreatedClientSecret', closed({ id: { ...text, examples: [SECRET_ID] }, clientSecret })),
      },
    }),
    async ({ params: { applicationId } }, reply) => {
      reply.code(201);
      return applications.addClientSecret(applicationId);
    },
  );
  app.delete<Secret>(
    `${SECRETS}/:secretId`,
    described('Revoke a client secret', {
      operationId: 'revokeClientSecret',
      description: 'Revokes the client secret. The access tokens of this client secret stop working.',
      params: closed({
        applicationId,
        secretId: { ...id, description: 'Id of the client secret.', examples: [SECRET_ID] },
      }),
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
