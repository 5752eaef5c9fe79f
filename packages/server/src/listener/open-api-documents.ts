import { ERROR_STATUS } from '../errors.js';
import { ERROR_HEADERS } from './documented-errors.js';
import type { Components } from './open-api-schemas.js';

export interface ServiceFacts {
  readonly environmentUrl: string;
  readonly version: string;
}

/** Audience of an OpenAPI document. The document describes only the operations for this audience. */
export type DocumentName = 'applications' | 'operators';

const object = 'object' as const;
const text = { type: 'string' as const };

const errorSchema = {
  title: 'Error',
  type: object,
  description: 'Error of the service. Let your program decide by `code`, because `message` may change.',
  required: ['error'],
  properties: {
    error: {
      type: object,
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { ...text, enum: Object.keys(ERROR_STATUS) },
        message: { ...text, description: 'What happened and what to do.' },
        details: {
          type: object,
          additionalProperties: true,
          description: 'Details of the error for programs; the fields depend on `code`.',
        },
        requestId: text,
      },
    },
  },
};

const OPERATORS_PATHS = '/operator/v1/';

export const documentOf = (url: string): DocumentName =>
  url.startsWith(OPERATORS_PATHS) ? 'operators' : 'applications';

const ABOUT: Readonly<Record<DocumentName, { readonly title: string; readonly description: string }>> = {
  applications: {
    title: 'Agent connector service',
    description:
      'Authorization, connected accounts, proxy and tools. Errors have the header svc-error. If the upstream rejects a tool call with a 4xx status, the service responds 422 (the input is wrong) or 424 (another reason) with the code upstream_failed. A request may have the header traceparent of W3C Trace Context: log lines and executions then have its trace id, and upstreams do not get it.',
  },
  operators: {
    title: 'Agent connector service: operators',
    description:
      'Operations of the dashboard. Sign in first. Every change needs the `csrfToken` of the session in the header svc-csrf, and the origin of the service in the header origin. Errors have the header svc-error.',
  },
};

/** Tags of each document, with their descriptions. */
const TAGS: Readonly<Record<DocumentName, readonly (readonly [string, string])[]>> = {
  applications: [
    ['authorization', 'Access tokens for the application itself.'],
    ['catalogue', 'Connectors (integrations of upstream services) and their tools.'],
    ['connections', 'Settings of the application for a connector, such as its OAuth client.'],
    ['accounts', 'Connected accounts of users, and the links where they give consent.'],
    ['tools', 'Tool calls as a connected account.'],
    ['proxy', 'Requests that the service forwards with the credentials of an account.'],
    ['mcp', 'Tools for agents over the Model Context Protocol.'],
    ['executions', 'Tool calls and proxied requests that ran, without their bodies.'],
    ['approvals', 'Tool calls that a person must approve before they run.'],
    ['tokens', 'Account tokens and agent tokens, each for one user and with limits.'],
    ['events', 'Changes and failures that the service reports to the application.'],
    [
      'webhooks',
      'Webhook endpoints, to which the service sends events as signed requests, and the deliveries to these endpoints.',
    ],
    [
      'watches',
      'Watches: lists at an upstream that the service polls, to report new, changed and deleted items.',
    ],
    ['agents', 'MCP clients to which the users of the application grant access.'],
    ['health', 'State of this instance, for load balancers.'],
  ],
  operators: [
    ['session', 'Sign-in of operators, their password and passkeys.'],
    ['operators', 'Operators of the service and their roles.'],
    ['applications', 'Applications and their client secrets.'],
    ['catalogue', 'Connectors (integrations of upstream services) and their tools.'],
    ['connections', 'Connections of an application.'],
    ['accounts', 'Connected accounts of the users of an application.'],
    ['tools', 'Tool calls that an application makes.'],
    ['executions', 'Tool calls and proxied requests of an application.'],
    ['approvals', 'Tool calls of an application that a person must approve.'],
    ['tokens', 'Account tokens and agent tokens of an application, each for one user and with limits.'],
    ['events', 'Changes and failures that the service reports to an application.'],
    ['webhooks', 'Webhook endpoints of an application, and the deliveries to these endpoints.'],
    [
      'watches',
      'Watches of an application: lists at an upstream that the service polls, to report new, changed and deleted items.',
    ],
    ['agents', 'MCP clients to which the users of an application grant access.'],
    ['search', 'Search of all applications for users, and for ids such as those of requests and accounts.'],
    ['audit', 'Events of the audit log.'],
    ['health', 'State of this instance and its database.'],
  ],
};

const securityOf = ({ environmentUrl }: ServiceFacts) => ({
  applications: {
    accessToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description:
        'Access token from POST /oauth/token, or an account token or agent token if the operation accepts one.',
    },
    clientCredentials: {
      type: 'oauth2' as const,
      description: 'Gets the access token with the client id and the client secret of the application.',
      flows: { clientCredentials: { tokenUrl: `${environmentUrl}/oauth/token`, scopes: {} } },
    },
    clientSecret: {
      type: 'http' as const,
      scheme: 'basic',
      description: 'Client id and client secret of the application, only for POST /oauth/token.',
    },
  },
  operators: {
    session: {
      type: 'apiKey' as const,
      in: 'cookie' as const,
      name: '__Host-svc-session',
      description:
        'Session cookie, which the sign-in sets. The name of the cookie is svc-session if the URL of the service is http.',
    },
    csrfToken: {
      type: 'apiKey' as const,
      in: 'header' as const,
      name: 'svc-csrf',
      description: '`csrfToken` of the session. Operations that change nothing do not need this header.',
    },
  },
});

const REQUIRED = {
  applications: [{ accessToken: [] }, { clientCredentials: [] }],
  operators: [{ session: [], csrfToken: [] }],
};

const HEADERS = {
  'svc-error': {
    description: 'Code of an error of the service. A response of the upstream never has this header.',
    schema: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    example: 'not_found',
  },
  'svc-request-id': {
    description: 'Id of the request. The log lines and the execution of the request have the same id.',
    schema: text,
    example: 'req_0193f2a8c4d17b3e9a5c6d7e8f901234',
  },
  'svc-version': { description: 'Version of the service.', schema: text, example: '1.4.0' },
  traceparent: {
    description: 'The header `traceparent` of the request, if the request had a valid one.',
    schema: text,
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
};

const otherErrors = {
  description: 'Any other error of the service.',
  headers: ERROR_HEADERS,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Returns an OpenAPI document without its operations: title, servers, tags, security and components. */
export function frameOf(name: DocumentName, facts: ServiceFacts, { schemas, responses }: Components) {
  return {
    openapi: '3.1.0',
    info: {
      ...ABOUT[name],
      version: facts.version,
      contact: { name: 'Operator of this service', url: facts.environmentUrl },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: facts.environmentUrl, description: 'This service.' }],
    tags: TAGS[name].map(([tag, description]) => ({ name: tag, description })),
    security: REQUIRED[name],
    components: {
      securitySchemes: securityOf(facts)[name],
      headers: HEADERS,
      responses: { Error: otherErrors, ...responses },
      schemas: { Error: errorSchema, ...schemas },
    },
  };
}
