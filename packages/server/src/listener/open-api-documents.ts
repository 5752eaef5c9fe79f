import { ERROR_STATUS } from '../errors.js';

export interface ServiceFacts {
  readonly environmentUrl: string;
  readonly version: string;
}

/** Audience of an OpenAPI document. The document describes only the operations for this audience. */
export type DocumentName = 'applications' | 'operators';

const object = 'object' as const;
const text = { type: 'string' as const };

const errorSchema = {
  type: object,
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
          description: 'Details for programs; the fields depend on the code.',
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
    description: 'Authorization, connected accounts, proxy and tools. Errors have the header svc-error.',
  },
  operators: {
    title: 'Agent connector service: operators',
    description:
      'Operations of the dashboard. Sign in first. Every change needs the csrfToken of the session in the header svc-csrf, and the origin of the service in the header origin. Errors have the header svc-error.',
  },
};

const SECURITY = {
  applications: { accessToken: { type: 'http' as const, scheme: 'bearer' } },
  operators: {
    session: {
      type: 'apiKey' as const,
      in: 'cookie' as const,
      name: '__Host-svc-session',
      description: 'The sign-in sets this cookie. Its name is svc-session if the URL of the service is http.',
    },
    csrfToken: { type: 'apiKey' as const, in: 'header' as const, name: 'svc-csrf' },
  },
};

/** Returns the OpenAPI document without its operations: title, version, servers and security schemes. */
export function frameOf(name: DocumentName, { environmentUrl, version }: ServiceFacts) {
  const securitySchemes = SECURITY[name];
  return {
    openapi: '3.1.0',
    info: { ...ABOUT[name], version },
    servers: [{ url: environmentUrl }],
    components: { securitySchemes, schemas: { Error: errorSchema } },
    security: [Object.fromEntries(Object.keys(securitySchemes).map((scheme) => [scheme, []]))],
  };
}
