import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _, type AnySchema } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { digestOf } from '../src/listener/find-request-check.js';
import { createRequestAjvs } from '../src/listener/request-validator.js';

interface RequestSchema {
  readonly schema: AnySchema;
  readonly part: string;
}

const DIST = new URL('../dist/', import.meta.url);
const PARTS = ['body', 'querystring', 'params', 'headers'] as const;

/** Notes every route of every server that is made from now on. */
function noteRoutes() {
  const noted: RouteOptions[] = [];
  const note = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      noted.push(route);
    });
  };
  subscribe('fastify.initialization', note);
  return { noted, stop: () => unsubscribe('fastify.initialization', note) };
}

function schemasOf({ schema }: RouteOptions): readonly RequestSchema[] {
  const schemas: Partial<Record<string, unknown>> = { ...schema };
  return PARTS.flatMap((part) => (schemas[part] ? [{ schema: schemas[part], part }] : []));
}

/** The schemas of the requests that the service just built takes, by starting it. */
async function readSchemas(): Promise<readonly RequestSchema[]> {
  const built: typeof import('../src/index.js') = await import(new URL('index.js', DIST).href);
  const { createApp, createLog, readConfig } = built;
  const data = mkdtempSync(path.join(tmpdir(), 'svc-build-'));
  const { noted, stop } = noteRoutes();
  const config = readConfig(['--data', data], {});
  const { server } = await createApp({ config, log: createLog('silent'), version: '0.0.0' });
  stop();
  await server.close();
  rmSync(data, { recursive: true });
  // Now, when every hook has said what it has to say of a route.
  return noted.flatMap(schemasOf);
}

/** Texts in it written so that the whole takes one byte a letter when it is loaded. */
const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes what ajv makes of the schemas of requests, for `listener/find-request-check.ts` to find. */
export async function compileRequests(): Promise<void> {
  const code = { source: true, esm: false, formats: _`formats` };
  const ofBody = createRequestAjvs('body', { code });
  const ofStrings = createRequestAjvs('querystring', { code });
  const entries = (await readSchemas()).map(({ schema, part }) => {
    const { first, all } = part === 'body' ? ofBody : ofStrings;
    const [isValid, listProblems] = [first, all].map((ajv) => {
      const text = standalone.default(ajv, ajv.compile(schema));
      return `() => ((module) => { ${text}; return module.exports; })({})`;
    });
    return [digestOf(schema, part), `{ isValid: ${isValid}, listProblems: ${listProblems} }`] as const;
  });
  const listed = [...new Map(entries)].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = listed.map(([digest, compiled]) => `  ${JSON.stringify(digest)}: ${compiled},\n`);
  const start = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n`;
  writeFileSync(
    new URL('compiled-requests.js', DIST),
    inAscii(`${start}export const compiledRequests = {\n${lines.join('')}};\n`),
  );
}
