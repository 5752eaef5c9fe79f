import { approve } from '@svc/sandbox';
import { startService } from '@svc/testing/service';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { install, startExample } from './start-example.js';

beforeAll(() => install('nextjs'));

const NEXT = 'node_modules/.bin/next';
const OFFLINE = { NEXT_TELEMETRY_DISABLED: '1' };

test('the Next.js example connects a calendar, creates an event and lists it', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  const env = { ...service.env, ...OFFLINE };
  await using build = startExample('nextjs', [NEXT, 'build'], env);
  await build.printed(/\/connect/);
  expect(await build.exited).toBe(0);

  const port = String(await freePort());
  await using example = startExample('nextjs', [NEXT, 'start', '--port', port], env);
  await example.printed(/Ready/);
  const url = `http://localhost:${port}/`;
  expect(await (await fetch(url)).text()).toContain('Connect your calendar');

  const connect = await fetch(`${url}connect`, { redirect: 'manual' });
  await approve(connect.headers.get('location') ?? '');
  const page = await (await fetch(url)).text();

  // Hidden fields of the form identify the server action. The test sends them like a browser without JavaScript.
  const form = new FormData();
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g,
  ))
    form.append(name, value.replaceAll('&quot;', '"'));
  form.append('summary', 'Review');
  form.append('start', '2026-12-01T09:00:00Z');
  const after = await fetch(url, { method: 'POST', body: form });
  expect(after.status).toBe(200);
  expect(await (await fetch(url)).text()).toContain('<li>Review</li>');
});
