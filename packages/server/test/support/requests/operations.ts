import { fetchReply } from '../service/application.js';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: object;
}

interface MediaType {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

interface Content {
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** An operation as the OpenAPI document describes it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title?: string; readonly version?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: NonNullable<Operation['security']>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, object>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export const readOpenApi = async (url: string): Promise<OpenApi> =>
  (await fetchReply(`${url}/openapi.json`)).json();

const targetOf = (document: unknown, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], document);

/** Replaces each `$ref` of a document with the component that it names. */
function resolve(value: unknown, document: OpenApi): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolve(item, document));
  const { $ref, ...own } = value as Readonly<Record<string, unknown>>;
  const referred = typeof $ref === 'string' ? (resolve(targetOf(document, $ref), document) as object) : {};
  const resolved = Object.entries(own).map(([key, item]) => [key, resolve(item, document)]);
  return { ...referred, ...Object.fromEntries(resolved) };
}

/** Lists the operations of a document, with all references resolved. */
export const operationsOf = (document: OpenApi): readonly Operation[] =>
  Object.entries(resolve(document.paths, document) as OpenApi['paths']).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );

/** Replaces the parameters in a path template, such as `{id}`, with values. */
export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value is given for {${name}} in ${path}.`);
    return value;
  });

/** Lists the operations for applications, without those for load balancers and MCP clients. */
export const applicationOperationsOf = (document: OpenApi): readonly Operation[] =>
  operationsOf(document).filter(({ path }) => /^\/(?:v1|oauth)\//.test(path));
