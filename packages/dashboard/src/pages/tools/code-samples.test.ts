import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { curlSample, packageSample, shellQuoted, toolSample } from './code-samples.ts';

const call = {
  tool: { name: 'calendar_create_event', connector: 'calendar' },
  environmentUrl: 'https://svc.example',
  account: { connectionName: 'calendar', identifier: 'o\'neil "x"' },
  input: {
    summary: `it's "quoted" \\ $(rm -rf /) \`whoami\` \${x}\nline two\u2028`,
    'a-b': [1, { nested: null }],
    __proto__x: true,
  },
};

/** Runs a sample with a fake client, and returns the recorded calls. */
async function run(sample: string): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve({ data: 1 });
    };
  const createClient = (options: unknown) => {
    calls.push(['createClient', options]);
    return { executeTool: record('executeTool') };
  };
  const calendar = (_client: unknown, account: unknown) => {
    calls.push(['calendar', account]);
    return { createEvent: record('createEvent') };
  };
  const body = stripTypeScriptTypes(sample.replaceAll(/^import .*$/gm, ''));
  await new Function('createClient', 'calendar', `return (async () => { ${body} })()`)(
    createClient,
    calendar,
  );
  return calls;
}

test('the package sample makes the typed call, with any characters in its texts', async () => {
  expect(await run(packageSample(call))).toEqual([
    ['createClient', { environmentUrl: call.environmentUrl }],
    ['calendar', call.account],
    ['createEvent', call.input],
  ]);
});

test('the sample by tool name makes the typed call in the chosen version', async () => {
  const version = { schemaVersion: '1.0.0', toolVersion: '1.2.0' };
  expect((await run(toolSample({ ...call, version })))[1]).toEqual([
    'executeTool',
    { toolName: call.tool.name, ...call.account, toolInput: call.input, ...version },
  ]);
});

const inShell = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' });

test.each(["it's", '"', '$HOME', '`id`', '\\', '!', 'a\nb', "'; echo no", ''])(
  'a shell reads %j as one word',
  (text) => {
    expect(inShell(`printf %s ${shellQuoted(text)}`)).toBe(text);
  },
);

test('the curl sample sends the typed call', () => {
  const curl = 'curl() { for last; do :; done; printf "%s" "$last"; }; jq() { cat; };';
  const sent: unknown = JSON.parse(inShell(`${curl}\n${curlSample(call)}`));
  expect(sent).toEqual({ ...call.account, toolInput: call.input });
});
