import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { findChromium } from '../../packages/dashboard/test/support/chromium.ts';
import { freePort } from '../free-port.ts';
import { bundle, type ProgramContext } from './programs.ts';
import type { RunningService } from './service.ts';
import { newFolder, run, start, writeFiles } from './workplace.ts';

const PAGE_PROGRAM = `
import { runAsUser } from './run.mjs';
const getToken = async () => (await fetch('/token')).json();
const settings = { environmentUrl: location.origin, accessToken: getToken };
const text = await runAsUser(settings).catch((error) => String(error));
document.body.textContent = text;
await fetch('/done', { method: 'POST', body: text });
`;
const PAGE = '<!doctype html><title>Rehearsal</title><body><script type="module" src="/page.js"></script>';

// Returns a program that requests a token on the application's server, because the client secret must not be in a page.
const tokenProgram = (service: RunningService) => `
import { makeToken } from './run.mjs';
console.log(JSON.stringify(await makeToken(${JSON.stringify(service)})));
`;

/**
 * Calls a tool from a page in Debian's Chromium, with the packages of the rehearsed release. Skipped if Chromium is
 * missing.
 */
export async function runInChromium(context: ProgramContext): Promise<string> {
  const chromium = findChromium();
  if (chromium === undefined) return 'skipped: Chromium is missing; install it, or set CHROMIUM_PATH';
  const { folder } = context.project;
  writeFiles(folder, { 'page.mjs': PAGE_PROGRAM, 'token.mjs': tokenProgram(context.service) });
  const token = await run(process.execPath, ['token.mjs'], { cwd: folder });
  const script = await bundle(context, 'page.mjs', 'browser');
  const { url, done, close } = await servePage({ script, token }, context.service);
  const profile = newFolder('profile');
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, url];
  start(chromium, args, { cwd: profile });
  const text = await done;
  close();
  assert.equal(text, 'actors');
  return 'a tool was called';
}

const PAGE_LIMIT_MS = 60_000;

interface Served {
  readonly script: string;
  /** Response of the service's token endpoint, as JSON. */
  readonly token: string;
}

/**
 * Serves the page and forwards its calls to the service. The promise `done` resolves with the result that the page
 * reports.
 */
async function servePage({ script, token }: Served, service: RunningService) {
  const port = await freePort();
  const { promise: done, resolve } = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    const body = await buffer(request);
    if (url === '/') return response.setHeader('content-type', 'text/html').end(PAGE);
    if (url === '/page.js') return response.setHeader('content-type', 'text/javascript').end(script);
    if (url === '/token') return response.end(token);
    if (url === '/done') resolve(body.toString());
    if (url === '/done') return response.end();
    const {
      host: _host,
      origin: _origin,
      connection: _connection,
      'content-length': _length,
      ...passed
    } = headers;
    const reply = await fetch(new URL(url, service.environmentUrl), {
      method,
      headers: Object.entries(passed).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !name.startsWith('sec-') ? [[name, value]] : [],
      ),
      ...(body.length > 0 && { body }),
    });
    response.statusCode = reply.status;
    response.setHeader('content-type', reply.headers.get('content-type') ?? 'application/json');
    return response.end(Buffer.from(await reply.arrayBuffer()));
  }).listen(port, '127.0.0.1');
  const timer = setTimeout(resolve, PAGE_LIMIT_MS, 'the page did not finish in time');
  const close = () => {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, done, close };
}
