import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _, type AnySchema } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { FastifyInstance } from 'fastify';
import { digestOf } from '../src/listener/find-request-check.js';
import { createRequestAjvs } from '../src/listener/request-validator.js';

interface RequestSchema {
  readonly schema: AnySchema;
  readonly part: string;
}

const DIST = new URL('../dist/', import.meta.url);
const PARTS = ['body', 'querystring', 'params', 'headers'] as const;

/** Notes the schemas of every route of every server that is made from now on. */
function noteSchemas() {
  const noted: RequestSchema[] = [];
  const note = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      const schemas: Partial<Record<string, unknown>> = { ...route.schema };
      for (const part of PARTS) if (schemas[part]) noted.push({ schema: schemas[part], part });
    });
  };
  subscribe('fastify.initialization', note);
  return { noted, stop: () => unsubscribe('fastify.initialization', note) };
}

/** The schemas of the requests that the service just built takes, by starting it. */
async function readSchemas(): Promise<readonly RequestSchema[]> {
  const built: typeof import('../src/index.js') = await import(new URL('index.js', DIST).href);
  const { createApp, createLog, readConfig } = built;
  const data = mkdtempSync(path.join(tmpdir(), 'svc-build-'));
  const { noted, stop } = noteSchemas();
  const config = readConfig(['--data', data], {});
  const { server } = await createApp({ config, log: createLog('silent'), version: '0.0.0' });
  stop();
  await server.close();
  rmSync(data, { recursive: true });
  return noted;
}

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
    `${start}export const compiledRequests = {\n${lines.join('')}};\n`,
  );
}
