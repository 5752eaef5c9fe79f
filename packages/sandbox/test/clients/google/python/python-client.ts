import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { DescribedMethod } from '../../../descriptions/read-descriptions.js';
import type { Address } from '../../support/ways.js';
import type { GoogleApi } from '../operation.js';

/** Python interpreter of Debian, which finds Debian's package of Google's client. */
const PYTHON = '/usr/bin/python3';

export const isInstalled = (): boolean => spawnSync(PYTHON, ['-c', 'import googleapiclient']).status === 0;

/** Query parameter that every method accepts and the operations use. */
const OF_ALL = { fields: { type: 'string', location: 'query' } };

interface Document {
  readonly methods: Record<string, unknown>;
  readonly resources: Record<string, Document>;
}

const emptyDocument = (): Document => ({ methods: {}, resources: {} });

/**
 * Builds a minimal discovery document with the API methods. Schemas are omitted, because the Python client does not
 * need them.
 */
function documentOf({ name, version, methods, servicePath, batchPath }: Spoken) {
  const document = emptyDocument();
  for (const { id, httpMethod, path: own, flatPath, parameters = {}, mediaUpload } of methods) {
    const parts = id.split('.').slice(1);
    const method = parts.pop() ?? '';
    let parent = document;
    for (const part of parts) {
      parent.resources[part] ??= emptyDocument();
      parent = parent.resources[part];
    }
    const takesBody = httpMethod !== 'GET' && httpMethod !== 'DELETE';
    const definition = { id, httpMethod, path: flatPath ?? own, parameters, response: { type: 'object' } };
    const described = mediaUpload === undefined ? definition : { ...definition, mediaUpload };
    parent.methods[method] = takesBody ? { ...described, request: { type: 'object' } } : described;
  }
  const all = { name, version, servicePath, batchPath, parameters: OF_ALL };
  return { kind: 'discovery#restDescription', ...all, ...document };
}

interface Options {
  readonly rootUrl: string;
  readonly headers?: Record<string, string>;
  readonly retryConfig?: { readonly retry: number };
}

export interface Spoken {
  readonly name: string;
  readonly version: string;
  readonly methods: readonly DescribedMethod[];
  /** Path between the root URL and the paths of the methods. */
  readonly servicePath: string;
  /** Path of batch requests. */
  readonly batchPath: string;
}

/** A call of a batch request. `names` is the path to the method, such as `['events', 'list']`. */
export interface BatchedCall {
  readonly names: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Batch requests, which only the Python client supports. A batch sends several calls and returns a result for each. */
export interface Batching {
  readonly batch: (calls: readonly BatchedCall[]) => Promise<unknown>;
}

const toCall = ({ names, parameters: { requestBody, ...given } }: BatchedCall) => ({
  resource: names.slice(0, -1),
  method: names.at(-1),
  parameters: requestBody === undefined ? given : { ...given, body: requestBody },
});

/** Wraps the Python client in the interface of the Node.js client, so that both run the same operations. */
export function startPythonClient<Api>(spoken: Spoken) {
  const python = spawn(PYTHON, [path.join(import.meta.dirname, 'speak.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  python.stdin.write(`${JSON.stringify(documentOf(spoken))}\n`);
  const replies = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  const send = (call: object) => {
    const sent = last.then(async () => {
      python.stdin.write(`${JSON.stringify(call)}\n`);
      const { value } = await replies.next();
      return JSON.parse(value ?? '{}');
    });
    last = sent.catch(() => undefined);
    return sent;
  };
  async function call(
    token: string,
    names: readonly string[],
    parameters: Record<string, unknown>,
    options: Options,
  ) {
    const { media, ...given } = parameters;
    const { data, error } = await send({
      root: `${options.rootUrl}/`,
      token,
      ...toCall({ names, parameters: given }),
      media,
      headers: options.headers ?? {},
      retries: options.retryConfig?.retry ?? 0,
    });
    if (error === undefined) return { data };
    throw Object.assign(new Error(error.message ?? error.body?.error?.message), {
      code: error.code,
      errors: error.body?.error?.errors,
      response: { status: error.code, data: error.body, headers: error.headers },
    });
  }
  const under = (token: string, names: readonly string[]): unknown =>
    new Proxy(() => undefined, {
      get: (_, part) => under(token, [...names, String(part)]),
      apply: (_, __, [parameters, options]) => call(token, names, parameters, options),
    });
  return {
    create: ({ baseUrl, token }: Address): GoogleApi<Api> & Batching => ({
      api: under(token, []) as Api,
      batch: async (calls) =>
        (await send({ root: `${baseUrl}/`, token, batch: calls.map(toCall) })) as unknown,
      at: async (make) => (await make({ rootUrl: baseUrl })).data,
    }),
    stop: () => python.kill(),
  };
}
