import { spawnSync } from 'node:child_process';
import { approve } from '@svc/sandbox';
import { startService } from '@svc/testing/service';
import { expect, test } from 'vitest';
import { startExample } from './start-example.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.runIf(hasPython)('the Python example waits for the user and creates an event', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  const command = ['python3', 'app.py', 'Review', '2026-12-01T09:00:00Z'];
  await using example = startExample('python', command, service.env);
  const [, link = ''] = await example.printed(/Connect your calendar: (\S+)/);
  await approve(link);
  await example.printed(/Created Review https?:/);
  expect(await example.exited).toBe(0);
});

test.runIf(hasPython)('the Python example prints an error of the service with its code', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  await service.authorize({ connectionName: 'calendar', identifier: 'user_42' });
  await using example = startExample('python', ['python3', 'app.py', 'Review', 'tomorrow'], service.env);
  await example.printed(/invalid_input: .*start_datetime/);
  expect(await example.exited).toBe(1);
});
