import { spawnSync } from 'node:child_process';
import { approve } from '@svc/sandbox';
import { startService } from '@svc/testing/service';
import { expect, test } from 'vitest';
import { startExample } from './start-example.js';

const NAME = 'python-openapi';
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.runIf(hasPython)('the Python client calls operations by the OpenAPI document', async () => {
  await using service = await startService({ connectors: ['calendar'] });
  await using story = startExample(NAME, ['python3', 'main.py'], service.env);
  const [, link = ''] = await story.printed(/Connect the calendar: (\S+)/);
  await approve(link);
  await story.printed(/^Deleted the connection$/m);
  for (const line of [
    /^Created the connection python_calendar$/m,
    /^Tools: .*calendar_create_event/m,
    /^Created Review$/m,
    /^Refused: invalid_input: .*start_datetime.*"rule":/m,
    /^Calendars: [1-9]/m,
    /^The call took \d+ ms in version testing$/m,
  ])
    await story.printed(line);
  expect(await story.exited).toBe(0);
});

test.runIf(hasPython).each([
  {
    title: 'an undocumented property',
    change: "del schemas['AccessToken']['properties']['expires_in']",
    problem: /createAccessToken 200\.expires_in is not documented/,
  },
  {
    title: 'a missing property',
    change: "schemas['AccessToken']['required'].append('scope')",
    problem: /createAccessToken 200\.scope is missing/,
  },
  {
    title: 'a value of another type',
    change: "schemas['AccessToken']['properties']['expires_in']['type'] = 'string'",
    problem: /createAccessToken 200\.expires_in is not string/,
  },
  {
    title: 'an undocumented status',
    change: "[responses.pop(status) for status in ('200', 'default')]",
    problem: /createAccessToken responded with the status 200, which is not documented/,
  },
  {
    title: 'a missing field of the request',
    change: "schemas['AccessTokenRequest']['required'].append('scope')",
    problem: /createAccessToken body\.scope is missing/,
  },
])('the Python client reports $title', async ({ change, problem }) => {
  await using service = await startService({ connectors: [] });
  const program = `
import main, operations
api = operations.Api.load('${service.environmentUrl}')
schemas = api.document['components']['schemas']
responses = api.operations['createAccessToken'][2]['responses']
${change}
main.sign_in(api)
`;
  await using run = startExample(NAME, ['python3', '-c', program], service.env);
  await run.printed(problem);
  expect(await run.exited).toBe(1);
});
