import { approve } from '@svc/sandbox';
import { startService } from '@svc/testing/service';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { startExample } from './start-example.js';

test('the Express example connects a calendar, creates an event and lists it', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  const port = String(await freePort());
  await using example = startExample('express', [process.execPath, 'server.ts'], {
    ...service.env,
    PORT: port,
  });
  await example.printed(/Listening/);
  const url = `http://localhost:${port}/`;

  const first = await fetch(url, { redirect: 'manual' });
  expect(first.status).toBe(303);
  await approve(first.headers.get('location') ?? '');

  const body = new URLSearchParams({ summary: '<Review>', start: '2026-12-01T09:00:00Z' });
  const page = await fetch(`${url}events`, { method: 'POST', body });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<li>&#60;Review&#62;</li>');

  const wrong = new URLSearchParams({ summary: 'Review', start: 'tomorrow' });
  const refused = await fetch(`${url}events`, { method: 'POST', body: wrong });
  expect(refused.status).toBe(502);
  expect(await refused.text()).toContain('start_datetime');
});
