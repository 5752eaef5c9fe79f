import { calendar } from '@svc/calendar';
import { manage } from '@svc/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectAgent, connectEarlier, mintToken, type RpcReply, runAgent } from '../support/mcp/agent.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

// Request field for a dry run. ../dry-run.test.ts checks that no tool sends a change in a dry run.
const DRY = { 'svc/dryRun': true };
// Request field that makes the official MCP library serve the request instead of the service's own code.
const DETOUR = { 'io.modelcontextprotocol/logLevel': 'error' };

let service: Service;
let token: string;
let eventId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'network', 'workspace'] });
  const account = await connectAccount(service, 'calendar');
  const event = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };
  eventId = (await calendar(service.svc, account).createEvent(event)).data.id;
  token = await mintToken(service);
});

beforeEach(() => service.sandbox.clearRequests());
afterAll(() => service.stop());

const call = (name: string, input: Readonly<Record<string, unknown>>) => ({
  method: 'tools/call',
  params: { name, arguments: input },
});
const deletion = () => call('calendar_delete_event', { event_id: eventId });
const byMeta = () => call('call_tool', { name: 'calendar_delete_event', arguments: { event_id: eventId } });
const metaOf = ({ message }: RpcReply) => message.result?.['_meta'] as Readonly<Record<string, unknown>>;
const arrived = () => service.sandbox.requests('calendar');
const planOfDeletion = {
  dryRun: { requests: [{ method: 'DELETE', isSent: false }], isComplete: true, unknown: [] },
  schemaVersion: expect.any(String),
  toolVersion: expect.any(String),
};

test.each([
  ['2026-07-28', connectAgent],
  ['2025-11-25', connectEarlier],
] as const)('a client of %s gets the plan of a dry run as an error result', async (_, connect) => {
  const client = await connect(service, { token, path: '/mcp/calendar' });
  // Listing gives the client the output schemas, with which it validates results. A dry run result does not match
  // them.
  await client.listTools();
  const result = await client.callTool({ ...deletion().params, _meta: DRY });
  expect(result).toMatchObject({ isError: true, _meta: { 'svc/dryRun': planOfDeletion } });
  expect(result).not.toHaveProperty('structuredContent');
  const [message, plan] = result.content as readonly { readonly text: string }[];
  expect(message?.text).toMatch(/^dry_run: Nothing was done/);
  expect(JSON.parse(plan?.text ?? '')).toMatchObject(planOfDeletion);
  expect(await arrived()).toEqual([]);
  await client.close();
});

describe.each([
  { way: 'the fast path', more: {} },
  { way: 'the MCP library', more: DETOUR },
])('a dry run through $way', ({ more }) => {
  test('returns the plan, for a direct call and for call_tool', async () => {
    for (const message of [deletion(), byMeta()]) {
      const reply = await runAgent(service, message, { token, meta: { ...DRY, ...more } });
      expect(reply.message.result).toMatchObject({
        isError: true,
        _meta: { 'svc/dryRun': planOfDeletion, 'io.modelcontextprotocol/serverInfo': {} },
      });
    }
    expect(await arrived()).toEqual([]);
  });

  test('reports the same error as an invalid call', async () => {
    const wrong = call('calendar_create_event', { summary: 1 });
    const dry = await runAgent(service, wrong, { token, meta: { ...DRY, ...more } });
    expect(dry.message).toEqual((await runAgent(service, wrong, { token })).message);
  });

  test.each([
    { title: 'the string "true"', meta: { 'svc/dryRun': 'true' } },
    { title: 'null', meta: { 'svc/dryRun': null } },
    { title: 'a misspelt name', meta: { 'svc/dryrun': true } },
  ])('refuses $title and runs nothing', async ({ meta }) => {
    for (const message of [deletion(), byMeta()]) {
      const reply = await runAgent(service, message, { token, meta: { ...meta, ...more } });
      expect(reply.message).toMatchObject({ id: 1, error: { code: -32602 } });
    }
    expect(await arrived()).toEqual([]);
  });

  test('ignores unknown metadata keys, and false runs the call', async () => {
    const meta = { 'svc/dryRun': false, 'com.example/trace': 'on', ...more };
    const { message } = await runAgent(service, call('calendar_list_calendars', {}), { token, meta });
    expect(message.result).toMatchObject({ structuredContent: { items: expect.any(Array) } });
  });
});

test('a dry run does not count against maxCalls and asks no person for approval', async () => {
  const narrow = await mintToken(service, { maxCalls: 1, approve: 'destructive' });
  for (const message of [deletion(), byMeta()])
    expect(metaOf(await runAgent(service, message, { token: narrow, meta: DRY }))).toMatchObject({
      'svc/dryRun': planOfDeletion,
    });
  expect(await manage(service.svc).approvals.list()).toMatchObject({ items: [] });
  const { message } = await runAgent(service, call('calendar_list_calendars', {}), { token: narrow });
  expect(message.result).toHaveProperty('structuredContent');
});

test('an unauthorized account gets its error without a link, and a missing account is not created', async () => {
  const identifier = 'user_43';
  const other = await mintToken(service, { identifier });
  const plan = async () => metaOf(await runAgent(service, deletion(), { token: other, meta: DRY }));
  expect(await plan()).toMatchObject({ 'svc/error': { code: 'account_not_authorized' } });
  const { items } = await manage(service.svc).accounts.list({ identifier });
  expect(items).toEqual([]);
  await service.svc.getOrCreateConnectedAccount({ connectionName: 'calendar', identifier });
  const planned = await plan();
  expect(planned).toMatchObject({
    'svc/dryRun': { dryRun: { ...planOfDeletion.dryRun, refusal: { code: 'account_not_authorized' } } },
  });
  expect(JSON.stringify(planned)).not.toContain('/connect/');
});

test('search_tools ignores the dry run and responds as usual', async () => {
  const message = call('search_tools', { query: 'delete an event' });
  const dry = await runAgent(service, message, { token, meta: DRY });
  expect(dry.message.result).toMatchObject({ structuredContent: { tools: expect.any(Array) } });
  expect(dry.message).toEqual((await runAgent(service, message, { token })).message);
});
