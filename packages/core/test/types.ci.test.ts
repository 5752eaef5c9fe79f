import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { calendarPackage, compile, emitDeclarations } from './compile.js';

const index = emitDeclarations();

const PRELUDE = `import { calendar } from '@svc/calendar';
import { createClient, isServiceError, manage, narrowToken, type ServiceError, type TokenLimits } from '@svc/core';
const svc = createClient(); const tools = calendar(svc, { id: 'acct_1' }); declare const name: string;
const call = { connectedAccountId: 'acct_1' };
`;
const FIRST_LINE = PRELUDE.split('\n').length;

const right = [
  "const watched: string = (await svc.watch({ ...call, tool: 'calendar_list_events', input: { calendar_id: 'primary' }, every: 60 })).state;",
  "await svc.watch({ tool: name, connectionName: 'c', identifier: 'u', input: { anything: 1 }, from: 'start' });",
  'for await (const watch of manage(svc).watches.list.each()) { const id: string = watch.id; }',
  "const id: string = (await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: { start_datetime: 'x' } })).data.id;",
  'const unknown: unknown = (await svc.executeTool({ ...call, toolName: name, toolInput: { anything: 1 } })).data;',
  "await tools.createEvent({ start_datetime: 'x' }, { schemaVersion: '1.0.0', idempotencyKey: 'k', signal: undefined });",
  "const host: string | undefined = (await tools.createEvent({ start_datetime: 'x' }, { dryRun: true })).dryRun.requests[0]?.host;",
  'const all: boolean = (await svc.executeTool({ ...call, toolName: name, toolInput: {} }, { dryRun: true, timeout: 5 })).dryRun.isComplete;',
  "const made: string = (await tools.createEvent({ start_datetime: 'x' }, { dryRun: false })).data.id;",
  "const either = await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: { start_datetime: 'x' } }, { dryRun: name === 'x' }); const isDry: boolean = 'dryRun' in either;",
  'await tools.listEvents();',
  'for await (const event of tools.listEvents.each()) { const summary: string | undefined = event.summary; }',
  "const data: number = (await svc.request<number>({ connectionName: 'c', identifier: 'u', path: '/', method: 'GET' })).data;",
  "const raw: Response = await svc.request({ connectionName: 'c', identifier: 'u', path: '/', method: 'GET' }, { stream: true });",
  'for await (const account of manage(svc).accounts.list.each({ connectionName: name })) { const id: string = account.id; }',
  'for await (const execution of manage(svc).executions.list.each()) { const status: number = execution.status; }',
  "const done: string | undefined = (await manage(svc).accounts.verify({ authRequestId: 'x', identifier: 'u' })).successUrl;",
  "createClient({ fetch, accessToken: async () => 'x', environmentUrl: undefined });",
  'createClient({ fetch: (url, init) => fetch(url, { ...init, keepalive: true }) });',
  'for await (const { data, requestId } of tools.listEvents.pages()) { const id: string = requestId + data.items?.length; }',
  'for await (const event of tools.listEvents.each({}, { limit: 3 })) { const id: string = event.id; }',
  "const other: string = (await calendar(svc, { connectionName: 'c', identifier: 'u' }).createEvent({ start_datetime: 'x' })).requestId;",
  "await svc.executeTool({ toolName: name, connectionName: 'c', identifier: 'u', toolInput: {} });",
  "await svc.withOptions({ timeout: 5, maxRetries: 0 }).call({ method: 'GET', path: '/' }, { readOnly: true });",
  "const advice = (error: unknown): string | undefined => isServiceError(error, 'upstream_failed') ? error.advice : undefined;",
  "await svc.getOrCreateConnectedAccount({ connectionName: 'c', identifier: 'u', refreshToken: 'r', scopes: ['s'], expiresAt: '2026-11-20T09:00:00Z' });",
  "await svc.getOrCreateConnectedAccount({ connectionName: 'c', identifier: 'u', accessToken: 'a', refreshToken: undefined });",
  "await svc.agentToken({ identifier: 'u', expiresIn: 60, tools: ['calendar_list_events', name], approve: [name] });",
  "await svc.agentToken({ identifier: 'u', expiresIn: 60, tools: ['calendar_list_events'], approve: ['calendar_create_event'], arguments: { calendar_create_event: { calendar_id: { eq: 'primary' } } } });",
  "await svc.accountToken({ identifier: 'u', approve: 'destructive', arguments: { calendar_create_event: { start_datetime: { prefix: '2026' }, 'attendees.email': { eq: 'x' } } } });",
  "await svc.accountToken({ identifier: 'u', arguments: { [name]: { [name]: { min: 1 } } } });",
  "await narrowToken(name, { tools: ['calendar_list_events'], readOnly: true });",
  "const limits: TokenLimits = { tools: [name, 'any_tool'], arguments: { any_tool: { a: { max: 1 } } } }; await svc.accountToken({ ...limits, identifier: 'u' });",
  'const codes = (error: unknown): string | undefined => isServiceError(error) ? error.code : undefined;',
];

const wrong = [
  {
    title: 'an unknown tool in the limits of a token',
    line: "await svc.agentToken({ identifier: 'u', expiresIn: 60, tools: ['calendar_list_events', 'calendar_list_event'] });",
  },
  {
    title: 'an unknown tool in the approvals of a token',
    line: "await svc.agentToken({ identifier: 'u', expiresIn: 60, approve: ['calendar_list_event'] });",
  },
  {
    title: 'an unknown tool in the arguments of a token',
    line: "await svc.accountToken({ identifier: 'u', arguments: { calendar_list_event: { calendar_id: { eq: 'x' } } } });",
  },
  {
    title: 'an unknown input in the arguments of a token',
    line: "await svc.accountToken({ identifier: 'u', arguments: { calendar_list_events: { calender_id: { eq: 'x' } } } });",
  },
  {
    title: 'an unknown tool in a narrower token',
    line: "await narrowToken(name, { tools: ['calendar_list_event'] });",
  },
  {
    title: 'a watch of a tool that cannot be watched',
    line: "await svc.watch({ ...call, tool: 'calendar_create_event', input: { start_datetime: 'x' } });",
  },
  {
    title: 'an input that a watch sets itself',
    line: "await svc.watch({ ...call, tool: 'calendar_list_events', input: { page_token: 'x' } });",
  },
  {
    title: 'a wrong type in the input of a watch',
    line: "await svc.watch({ ...call, tool: 'calendar_list_events', input: { calendar_id: 1 } });",
  },
  {
    title: 'a watch without an account',
    line: "await svc.watch({ tool: 'calendar_list_events', input: {} });",
  },
  {
    title: 'the data of a dry run',
    line: "(await tools.createEvent({ start_datetime: 'x' }, { dryRun: true })).data;",
  },
  {
    title: 'the data of a conditional dry run',
    line: "(await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: { start_datetime: 'x' } }, { dryRun: name === 'x' })).data;",
  },
  {
    title: 'a method with a conditional dry run',
    line: "await tools.createEvent({ start_datetime: 'x' }, { dryRun: name === 'x' });",
  },
  {
    title: 'pages of a dry run',
    line: 'tools.listEvents.each({}, { dryRun: true });',
  },
  {
    title: 'an unknown option together with dryRun',
    line: "await tools.createEvent({ start_datetime: 'x' }, { dryRun: true, timeuot: 5 });",
  },
  {
    title: 'a verification without a user',
    line: "await manage(svc).accounts.verify({ authRequestId: 'x' });",
  },
  {
    title: 'imported tokens together with a key',
    line: "await svc.getOrCreateConnectedAccount({ connectionName: 'c', identifier: 'u', accessToken: 'a', apiKey: 'k' });",
  },
  {
    title: 'scopes without a token',
    line: "await svc.getOrCreateConnectedAccount({ connectionName: 'c', identifier: 'u', scopes: ['s'] });",
  },
  {
    title: 'an unknown tool of a known connector',
    line: "await svc.executeTool({ ...call, toolName: 'calendar_nothing', toolInput: {} });",
  },
  {
    title: 'a missing field of a known tool',
    line: "await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: {} });",
  },
  {
    title: 'an unknown field of a known tool',
    line: "await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: { start_datetime: 'x', nope: 1 } });",
  },
  {
    title: 'a wrong type in a known tool',
    line: "await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: { start_datetime: 1 } });",
  },
  {
    title: 'an unknown field of the data of a known tool',
    line: "(await svc.executeTool({ ...call, toolName: 'calendar_create_event', toolInput: { start_datetime: 'x' } })).data.nope;",
  },
  {
    title: 'a field of unknown data',
    line: '(await svc.executeTool({ ...call, toolName: name, toolInput: {} })).data.id;',
  },
  {
    title: 'an input that is not an object',
    line: 'await svc.executeTool({ ...call, toolName: name, toolInput: 1 });',
  },
  { title: 'a missing account', line: 'await svc.executeTool({ toolName: name, toolInput: {} });' },
  {
    title: 'an unknown version',
    line: "await tools.createEvent({ start_datetime: 'x' }, { schemaVersion: '9.0.0' });",
  },
  {
    title: 'an unknown option',
    line: "await tools.createEvent({ start_datetime: 'x' }, { idempotenceKey: 'k' });",
  },
  { title: 'each for a tool without pages', line: "tools.createEvent.each({ start_datetime: 'x' });" },
  {
    title: 'an account with both id and name',
    line: "await svc.executeTool({ toolName: name, connectedAccountId: 'a', connectionName: 'c', identifier: 'u', toolInput: {} });",
  },
  {
    title: 'an account with only half of its name',
    line: "await svc.executeTool({ toolName: name, connectionName: 'c', toolInput: {} });",
  },
  { title: 'a limit for a single call', line: 'await tools.listEvents({}, { limit: 3 });' },
  { title: 'new credentials for the same client', line: "svc.withOptions({ clientId: 'x' });" },
  { title: 'an unknown setting', line: "createClient({ clientID: 'x' });" },
  {
    title: 'an unknown account status in a filter',
    line: "await manage(svc).accounts.list({ status: 'broken' });",
  },
];

describe('a program with a connector package', () => {
  const program = [...right, ...wrong.map(({ line }) => line)].map((line) => `{ ${line} }`).join('\n');
  const { errors, lines } = compile(index, {
    'program.ts': PRELUDE + program,
    'calendar.ts': calendarPackage,
  });

  test.each(right.map((line, at) => ({ line, at })))('compiles: $line', ({ at }) => {
    expect(errors.filter((_, error) => lines[error] === FIRST_LINE + at)).toEqual([]);
  });

  test.each(wrong.map(({ title }, at) => ({ title, at })))('does not compile: $title', ({ at }) => {
    expect(lines).toContain(FIRST_LINE + right.length + at);
  });

  test('has no other compile errors', () => {
    const last = FIRST_LINE + right.length + wrong.length;
    expect(lines.filter((line) => !(line >= FIRST_LINE && line < last))).toEqual([]);
  });
});

test('a program without a connector package can call any tool', () => {
  const program = `import { createClient } from '@svc/core';
    const { data } = await createClient().executeTool({ toolName: 'any_tool', connectedAccountId: 'a', toolInput: { b: 1 } });
    const nothing: unknown = data;
    export { nothing };`;
  expect(compile(index, { 'program.ts': program }).errors).toEqual([]);
});

const CONSUMER = `import { calendar } from '@svc/calendar';
import { createClient } from '@svc/core';
import { verifyWebhook, type WebhookHeaders } from '@svc/core/events';
type IsAny<Value> = 0 extends 1 & Value ? true : false;
export const isAny: IsAny<WebhookHeaders> = false;
export const receive = async (headers: { get(name: string): string | null }) =>
  [await verifyWebhook('', headers, 'whsec_'), await verifyWebhook('', { 'webhook-id': ['1'] }, 'whsec_')].map(({ id }) => id);
// @ts-expect-error A number is no header.
export const refuse = () => verifyWebhook('', { 'webhook-id': 1 }, 'whsec_');
export const make = () => calendar(createClient({ environmentUrl: 'https://x.test', accessToken: 'x' }), 'acct_1');
export const run = async (tools: ReturnType<typeof make>) => (await tools.listEvents({})).data.items;
`;
const libraries = [
  { environment: 'neither Node nor DOM types', lib: ['es2022'], types: [] },
  { environment: 'DOM types', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  { environment: 'Node types', lib: ['es2022'], types: ['node'] },
];
const consumers = libraries.flatMap((library) =>
  [
    { ...library, module: 'nodenext', moduleResolution: 'nodenext' },
    { ...library, module: 'esnext', moduleResolution: 'bundler' },
  ].flatMap((options) => [
    { ...options, exactOptionalPropertyTypes: true },
    { ...options, exactOptionalPropertyTypes: false },
  ]),
);

test.each(consumers)(
  'the declarations compile with $environment, $module, exact optional types $exactOptionalPropertyTypes',
  ({ environment: _, ...options }) => {
    expect(
      compile(index, { 'program.ts': CONSUMER, 'calendar.ts': calendarPackage }, options).errors,
    ).toEqual([]);
  },
);

describe('two versions of core in one program', () => {
  const otherIndex = emitDeclarations();
  // Edits the published declaration files with changes that a minor release may make, and with the additions of
  // imported connector packages.
  for (const [file, before, after] of [
    ['tool.d.ts', 'export interface CallOptions {', 'export interface CallOptions { newer?: boolean;'],
    [
      'tool.d.ts',
      'export interface ToolResult<Data> {',
      'export interface ToolResult<Data> { newer: string;',
    ],
    ['client.d.ts', 'export interface Client {', 'export interface Client { newer(): Promise<string>;'],
    [
      'tool.d.ts',
      'export interface Tools {',
      'export interface Tools { other_tool: { input: { a: 1 }; output: 2 };',
    ],
  ] as const) {
    const path = join(dirname(otherIndex), file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(before);
    writeFileSync(path, text.replace(before, after));
  }

  test.each([
    { title: 'an older client', client: index, connector: otherIndex },
    { title: 'a newer client', client: otherIndex, connector: index },
  ])('a connector accepts $title', ({ client, connector }) => {
    const paths = { '@svc/core': [connector], '@svc/client': [client] };
    const program = `import { calendar } from './calendar.js';
import { createClient } from '@svc/client';
export const run = async () => {
  const { data } = await calendar(createClient(), { connectionName: 'c', identifier: 'u' }).createEvent({ start_datetime: 'x' });
  return data.summary satisfies string | undefined;
};`;
    expect(
      compile(index, { 'program.ts': program, 'calendar.ts': calendarPackage }, { paths }).errors,
    ).toEqual([]);
  });
});

test('compiles every README example', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)\n```/gs)].map(([, code]) => code ?? '');
  expect(examples.length).toBeGreaterThan(8);
  const imports = `import { calendar } from '@svc/calendar';
import { verifyWebhook } from '@svc/core/events';
import { AccountNotAuthorizedError, createClient, InvalidInputError, isServiceError, manage, narrowToken, ServiceError, UpstreamError } from '@svc/core';
const svc = createClient();
const user = { connectionName: 'calendar', identifier: 'user_42' };
const account = await svc.getOrCreateConnectedAccount(user);
const events = calendar(svc, account);
`;
  const blocks = examples.map((code) => `{\n${code.replaceAll(/^import .*\n/gm, '')}\n}`);
  const program = imports + blocks.join('\n');
  expect(compile(index, { 'program.ts': program, 'calendar.ts': calendarPackage }).errors).toEqual([]);
});
