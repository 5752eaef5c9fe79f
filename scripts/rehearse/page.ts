import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { findChromium } from '../../packages/dashboard/test/support/chromium.ts';
import { freePort } from '../free-port.ts';
import { bundle, type Place, RIGHT } from './programs.ts';
import type { RunningService } from './service.ts';
import { newFolder, start, writeFiles } from './workplace.ts';

const PAGE_PROGRAM = `
import { run } from './run.mjs';
// The page's own origin passes calls on: a secret of an application has no place in a page of the world.
const settings = await (await fetch('/settings')).json();
const text = await run({ ...settings, environmentUrl: location.origin }).catch((error) => String(error));
document.body.textContent = text;
await fetch('/done', { method: 'POST', body: text });
`;
const PAGE = '<!doctype html><title>Rehearsal</title><body><script type="module" src="/page.js"></script>';

/** Runs the program in a page of Debian's Chromium. */
export async function runInChromium(place: Place): Promise<string> {
  const chromium = findChromium();
  if (chromium === undefined)
    return 'skipped: there is no Chromium here; install Debian’s, or set CHROMIUM_PATH';
  writeFiles(place.project.folder, { 'page.mjs': PAGE_PROGRAM });
  const { url, done, close } = await servePage(await bundle(place, 'page.mjs', 'browser'), place.service);
  const profile = newFolder('profile');
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, url];
  start(chromium, args, { cwd: profile });
  const text = await done;
  close();
  assert.equal(text, RIGHT);
  return 'a tool was called';
}

const PAGE_LIMIT_MS = 60_000;

/** Serves the page, passes its calls on to the service, and resolves `done` with what it says at its end. */
async function servePage(script: string, service: RunningService) {
  const port = await freePort();
  const { promise: done, resolve } = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    const body = await buffer(request);
    if (url === '/') return response.setHeader('content-type', 'text/html').end(PAGE);
    if (url === '/page.js') return response.setHeader('content-type', 'text/javascript').end(script);
    if (url === '/settings') return response.end(JSON.stringify(service));
    if (url === '/done') resolve(body.toString());
    if (url === '/done') return response.end();
    const {
      host: _host,
      origin: _origin,
      connection: _connection,
      'content-length': _length,
      ...passed
    } = headers;
    const answer = await fetch(new URL(url, service.environmentUrl), {
      method,
      headers: Object.entries(passed).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !name.startsWith('sec-') ? [[name, value]] : [],
      ),
      ...(body.length > 0 && { body }),
    });
    response.statusCode = answer.status;
    response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/json');
    return response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(port, '127.0.0.1');
  const timer = setTimeout(resolve, PAGE_LIMIT_MS, 'the page did not come to its end');
  const close = () => {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, done, close };
}
