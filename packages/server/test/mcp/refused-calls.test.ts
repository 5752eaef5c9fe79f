import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintToken, type RpcOptions, runAgent } from '../support/mcp/agent.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const TOOL = 'calendar_list_calendars';
const WRITE = 'calendar_create_event';
const USER = { identifier: 'user_42' };

let service: Service;
let application: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar', USER.identifier);
  application = await signIn(service);
});
afterAll(() => service.stop());

/** Calls a tool with a new token, and returns the execution of the call. */
async function executionOf(
  name: string,
  { limits = {}, ...options }: RpcOptions & { readonly limits?: object },
): Promise<unknown> {
  const token = await mintToken(service, { ...USER, ...limits });
  const call = { method: 'tools/call', params: { name, arguments: {} } };
  const { headers } = await runAgent(service, call, { token, ...options });
  const query = new URLSearchParams({ requestId: headers.get('svc-request-id') ?? '' });
  const { items } = (await application.call('GET', `/v1/executions?${query}`)).json<{
    items: readonly { readonly id: string }[];
  }>();
  return (await application.call('GET', `/v1/executions/${items[0]?.id}`)).json();
}

test.each([
  {
    title: 'the limit of the token that excludes the tool',
    name: WRITE,
    options: { limits: { readOnly: true } },
    expected: { errorCode: 'tool_not_found', toolName: WRITE, cause: { reason: 'readOnly' } },
  },
  {
    title: 'that the application has no connection for the tool',
    name: 'network_geo_search',
    options: {},
    expected: { errorCode: 'tool_not_found', cause: { reason: 'no_connection' } },
  },
  {
    title: 'that the endpoint belongs to another connector',
    name: TOOL,
    options: { path: '/mcp/network' },
    expected: { errorCode: 'tool_not_found', cause: { reason: 'other_connector' } },
  },
  {
    title: 'that a dry run is misspelled',
    name: TOOL,
    options: { meta: { 'svc/dryrun': true } },
    expected: {
      errorCode: 'invalid_request',
      toolName: TOOL,
      cause: { fields: [{ field: '_meta', rule: '' }] },
    },
  },
  {
    title: 'the approval that the call waits for',
    name: TOOL,
    options: { limits: { approve: 'always' } },
    expected: { errorCode: 'approval_required', approvalId: expect.stringMatching(/^appr_/) },
  },
])('the execution of a refused call says $title', async ({ name, options, expected }) => {
  expect(await executionOf(name, options)).toMatchObject({ accountIdentifier: USER.identifier, ...expected });
});
