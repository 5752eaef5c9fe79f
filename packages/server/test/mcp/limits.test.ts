import { loadCatalog } from '@svc/catalog';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstText, mintToken, type RpcReply, runAgent } from '../support/mcp/agent.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const CONNECTORS = ['calendar', 'network', 'video', 'workspace'];
const TOOL = 'calendar_delete_event';
/** Names of all other tools of these connectors. Agents reach so many tools only through the meta tools. */
const OTHERS = [...loadCatalog().tools.values()]
  .filter(({ name, connector }) => name !== TOOL && CONNECTORS.includes(connector))
  .map(({ name }) => name);
const LIST = { method: 'tools/list' };

let service: Service;
/** Accounts of the same user at other connectors. Agents reach the tools of those connectors only through search. */
let elsewhere: readonly string[];

beforeAll(async () => {
  service = await startService({ connectors: CONNECTORS });
  await connectAccount(service, 'calendar');
  elsewhere = [
    (await connectAccount(service, 'network')).id,
    (await connectAccount(service, 'workspace')).id,
  ];
});

beforeEach(() => service.sandbox.clearRequests());
afterAll(() => service.stop());

const INPUT = { event_id: 'e', calendar_id: 'primary' };
const directly = { name: TOOL, arguments: INPUT };
const WAYS = {
  directly,
  'by call_tool': { name: 'call_tool', arguments: directly },
};
const UNKNOWN_TOOL = -32602;

/** Returns the error code of a refused call; `undefined` if the call succeeded. */
function refusalOf({ message: { result, error } }: RpcReply): unknown {
  const meta = result?.['_meta'] as { readonly 'svc/error'?: { readonly code: string } } | undefined;
  return error?.code ?? meta?.['svc/error']?.code;
}

interface Limit {
  readonly title: string;
  readonly toRequest: () => object;
  /** Error code of a refused call. Default: the error for an unknown tool, because the limit hides the tool. */
  readonly code?: string;
  /** True if dry runs are allowed, because they do not use up or trigger this limit. */
  readonly allowsDryRuns?: true;
  /** Methods of the requests that the refused calls send upstream. Default: none. */
  readonly sends?: readonly string[];
}

const LIMITS: readonly Limit[] = [
  { title: 'tools', toRequest: () => ({ tools: OTHERS }) },
  { title: 'readOnly', toRequest: () => ({ readOnly: true }) },
  { title: 'connections', toRequest: () => ({ connections: ['network', 'workspace'] }) },
  { title: 'accounts', toRequest: () => ({ accounts: elsewhere }) },
  {
    title: 'arguments',
    toRequest: () => ({ arguments: { [TOOL]: { calendar_id: { eq: 'other' } } } }),
    code: 'not_permitted',
  },
  { title: 'maxCalls', toRequest: () => ({ maxCalls: 0 }), code: 'not_permitted', allowsDryRuns: true },
  {
    title: 'approve',
    toRequest: () => ({ approve: 'destructive' }),
    code: 'approval_required',
    allowsDryRuns: true,
    // An approval shows the title of the object, which the service reads.
    sends: ['GET'],
  },
];

describe('E3: a tool outside the limits of the token is refused on every way to call it', () => {
  test.each(LIMITS)('$title', async ({ toRequest, code, allowsDryRuns, sends = [] }) => {
    const token = await mintToken(service, { ...toRequest() });
    for (const [way, params] of Object.entries(WAYS)) {
      const absent = way === 'directly' ? UNKNOWN_TOOL : 'tool_not_found';
      for (const isDry of [false, true]) {
        const meta = { 'svc/dryRun': isDry };
        const reply = await runAgent(service, { method: 'tools/call', params }, { token, meta });
        const isAllowed = isDry && allowsDryRuns;
        expect([way, isDry, refusalOf(reply)]).toEqual([
          way,
          isDry,
          isAllowed ? undefined : (code ?? absent),
        ]);
      }
    }
    const sent = await service.sandbox.requests('calendar');
    expect(sent.map(({ method }) => method)).toEqual(sends);
  });

  test.each([
    {
      limits: { tools: OTHERS },
      path: '/mcp',
      says: 'The token allows only the tools in its limit "tools".',
    },
    { limits: { readOnly: true }, path: '/mcp', says: 'The token is read-only: it allows only' },
    {
      limits: { connections: ['network'] },
      path: '/mcp',
      says: 'The application has no connection of the connector "calendar" that the token allows. Ask the issuer of the token to create',
    },
    {
      limits: {},
      path: '/mcp/network',
      says: 'This MCP endpoint has only tools of the connector "network". Use one of them',
    },
  ])('the error with the limits $limits at $path gives the reason', async ({ limits, path, says }) => {
    const token = await mintToken(service, limits);
    const callAt = (params: Readonly<Record<string, unknown>>) =>
      runAgent(service, { method: 'tools/call', params }, { token, path });
    const { message } = await callAt(directly);
    expect(message.error?.message).toContain(`Tool not allowed: "${TOOL}". ${says}`);
  });

  test('the error of call_tool gives the reason', async () => {
    const token = await mintToken(service, { tools: OTHERS });
    const params = WAYS['by call_tool'];
    const { message } = await runAgent(service, { method: 'tools/call', params }, { token });
    expect(firstText(message.result ?? {})).toBe(
      `tool_not_found: You may not call "${TOOL}". The token allows only the tools in its limit "tools". Ask the issuer of the token for a token that allows this tool.`,
    );
  });

  test('tools/list returns only the tools that the token allows', async () => {
    const token = await mintToken(service, { readOnly: true });
    const { message } = await runAgent(service, LIST, { token, path: '/mcp/calendar' });
    const tools = message.result?.['tools'] as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toEqual([
      'calendar_get_calendar',
      'calendar_get_event_by_id',
      'calendar_list_calendars',
      'calendar_list_events',
      'calendar_list_instances',
      'calendar_query_free_busy',
    ]);
  });

  test('a tool call for an unauthorized account is refused on every way to call it', async () => {
    const token = await mintToken(service, { identifier: 'user_43' });
    for (const params of Object.values(WAYS)) {
      const reply = await runAgent(service, { method: 'tools/call', params }, { token });
      expect(refusalOf(reply)).toBe('account_not_authorized');
    }
    expect(await service.sandbox.requests('calendar')).toEqual([]);
  });
});
