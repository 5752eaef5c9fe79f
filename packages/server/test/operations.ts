import { fetchReply } from './application.js';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: object;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** An operation as the OpenAPI document describes it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  readonly summary?: string;
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
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, object>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export const readOpenApi = async (url: string): Promise<OpenApi> =>
  (await fetchReply(`${url}/openapi.json`)).json();

export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
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
