import { approve } from '@svc/sandbox';
import { startService } from '@svc/testing/service';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { install, startExample } from './start-example.js';

beforeAll(() => install('worker'));

test('the Cloudflare worker example connects a calendar, creates an event and lists it', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  const port = String(await freePort());
  const variables = Object.entries(service.env).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  const command = ['node_modules/.bin/wrangler', 'dev', '--port', port, ...variables];
  await using example = startExample('worker', command, { WRANGLER_SEND_METRICS: 'false', CI: '1' });
  await example.printed(/Ready on/);
  const url = `http://localhost:${port}/events`;

  const first = await fetch(url);
  expect(first.status).toBe(401);
  const { link } = (await first.json()) as { readonly link: string };
  await approve(link);

  const body = JSON.stringify({ summary: 'Review', start: '2026-12-01T09:00:00Z' });
  const created = await fetch(url, { method: 'POST', body });
  expect(created.status).toBe(201);
  const listed = await (await fetch(url)).json();
  const { id } = (await created.json()) as { readonly id: string };
  expect(listed).toContainEqual({ id, summary: 'Review' });
});
