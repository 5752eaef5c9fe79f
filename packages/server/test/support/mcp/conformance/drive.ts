import { approve } from '@svc/sandbox';
import { type Application, type Reply, signIn } from '../../service/application.js';
import type { Service } from '../../service/service.js';
import { INVALID_TOOLS, toolNameOf } from './catalog.js';

/** Task of the suite for its client. */
export interface Task {
  readonly scenario: string;
  readonly serverUrl: string;
  readonly context: {
    readonly client_id?: string;
    readonly client_secret?: string;
    readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
  };
}

interface Call {
  readonly tool: string;
  readonly input?: object;
}

interface Plan {
  readonly connector: string;
  readonly calls: readonly Call[];
}

const PLANS: Readonly<Record<string, Plan>> = {
  initialize: { connector: 'root', calls: [{ tool: 'any' }] },
  tools_call: { connector: 'open', calls: [{ tool: 'add_numbers', input: { a: 5, b: 3 } }] },
  'sse-retry': { connector: 'root', calls: [{ tool: 'test_reconnection' }] },
  'request-metadata': { connector: 'root', calls: [{ tool: 'any' }] },
  'http-standard-headers': { connector: 'root', calls: [{ tool: 'test_headers' }] },
  'http-invalid-tool-headers': {
    connector: 'root',
    calls: [
      ...Object.entries(INVALID_TOOLS).map(([tool, names]) => ({
        tool,
        input: Object.fromEntries(names.map((name) => [name, 'x'])),
      })),
      { tool: 'valid_tool', input: { region: 'us-west1' } },
    ],
  },
  'json-schema-ref-no-deref': { connector: 'open', calls: [{ tool: 'lookup_user', input: { id: 'ada' } }] },
  'sep-2322-client-request-state': {
    connector: 'open',
    calls: ['echo_state', 'unrelated', 'no_state', 'no_result_type'].map((name) => ({
      tool: `test_mrtr_${name}`,
    })),
  },
};

function planOf({ scenario, context }: Task): Plan {
  if (scenario.startsWith('auth/')) return { connector: 'guarded', calls: [{ tool: 'test-tool' }] };
  const calls = (context.toolCalls ?? []).map(({ name, arguments: input }) => ({ tool: name, input }));
  const plan = calls.length > 0 ? { connector: 'root', calls } : PLANS[scenario];
  if (plan) return plan;
  throw new Error(`"${scenario}" is not driven.`);
}

/** Responses of the service to a task: the results of all tool calls, or the first refusal. */
export interface Outcome {
  readonly isDone: boolean;
  readonly replies: readonly unknown[];
}

const MOST_APPROVALS = 4;

// Returns the service's error code in a response; `undefined` for other responses.
const codeOf = (reply: Reply) => reply.json<{ error?: { code?: string } }>().error?.code;

/** Acts as an application: connects to the task's server and calls its tools, only through the service's HTTP API. */
export async function drive(service: Service, connectionName: string, task: Task): Promise<Outcome> {
  const { call } = await signIn(service);
  const { connector, calls } = planOf(task);
  const account = `/v1/connections/${connectionName}/accounts/ada`;
  const connected = await connect(call, { connectionName, connector, task, account });
  if (connected.status >= 400) return { isDone: false, replies: [connected.json()] };
  const { id } = connected.json<{ id: string }>();
  const replies: unknown[] = [];
  for (const { tool, input = {} } of calls) {
    const body = { connectedAccountId: id, toolInput: input };
    const path = `/v1/tools/${toolNameOf(connector, tool)}/execute`;
    let reply = await call('POST', path, { body });
    for (let approvals = 0; codeOf(reply) === 'account_not_authorized'; approvals += 1) {
      const approved = await letApprove(call, account);
      if (approved !== undefined || approvals === MOST_APPROVALS)
        return { isDone: false, replies: [approved ?? reply.json()] };
      reply = await call('POST', path, { body });
    }
    replies.push(reply.json());
  }
  return { isDone: true, replies };
}

interface NewConnection {
  readonly connectionName: string;
  readonly connector: string;
  readonly task: Task;
  readonly account: string;
}

async function connect(
  call: Application['call'],
  { connectionName, connector, task, account }: NewConnection,
): Promise<Reply> {
  const { client_id: clientId, client_secret: clientSecret } = task.context;
  const baseUrl = task.serverUrl.replace(/\/mcp$/, '');
  const body = { connectionName, connector, baseUrl, clientId, clientSecret };
  const created = await call('POST', '/v1/connections', { body });
  if (created.status !== 201) return created;
  return call('PUT', account, { body: connector === 'guarded' ? {} : { bearerToken: 'token' } });
}

/** Opens the authorization link as a user who consents. Returns the error response; `undefined` on success. */
async function letApprove(call: Application['call'], account: string): Promise<unknown> {
  const reply = await call('POST', `${account}/authorization-link`, { body: {} });
  if (reply.status !== 200) return reply.json();
  const { status, body } = await approve(reply.json<{ link: string }>().link);
  return status === 200 ? undefined : body;
}
