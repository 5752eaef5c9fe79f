import { approve } from '@svc/sandbox';
import { startService } from '@svc/testing/service';
import { beforeAll, expect, test } from 'vitest';
import { install, startExample } from './start-example.js';

const NAME = 'generated-client';

beforeAll(() => install(NAME));

test('the generated client compiles strictly and completes its story', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  for (const script of ['generate', 'typecheck']) {
    await using run = startExample(NAME, ['npm', 'run', script], service.env);
    expect(await run.exited, script).toBe(0);
  }
  await using story = startExample(NAME, ['node', 'main.ts'], service.env);
  const [, link = ''] = await story.printed(/Connect the calendar: (\S+)/);
  await approve(link);
  await story.printed(/Deleted the connection: 204/);
  for (const line of [
    /^Created the connection team_calendar$/m,
    /^Tools: .*calendar_create_event/m,
    /^Created Review$/m,
    /^Refused: invalid_input: .*start_datetime.*"rule":/m,
    /^Calendars: [1-9]/m,
    /^The call took \d+ ms in version testing$/m,
  ])
    await story.printed(line);
  expect(await story.exited).toBe(0);
});

test('the generated client reports wrong credentials in the form of RFC 6749', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  const env = { ...service.env, SVC_CLIENT_SECRET: 'wrong' };
  await using story = startExample(NAME, ['node', 'main.ts'], env);
  await story.printed(/No access token: \{"error":"invalid_client","error_description":/);
  expect(await story.exited).toBe(1);
});
