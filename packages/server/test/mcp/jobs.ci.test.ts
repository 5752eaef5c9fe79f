import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  connectAgent,
  connectEarlier,
  firstText,
  mintToken,
  type RpcReply,
  runAgent,
} from '../support/mcp/agent.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const ID = 'notesmcp';
/** Connectors with so many tools that the list offers them through search only. */
const MANY = ['network', 'workspace'];
const QUESTION = { query: 'What was decided?' };

/** Starts a service with an authorized account. `agentWait` is in seconds. */
async function startWith({ agentWait }: { agentWait: number }) {
  const service = await startService({ connectors: [ID, ...MANY], flags: ['--agent-wait', `${agentWait}`] });
  await connectAccount(service, ID);
  const token = await mintToken(service);
  // The first call opens the upstream MCP session, so that later delays come from the tool call alone.
  await runAgent(service, call('notesmcp_list_meetings'), { token });
  return { service, token };
}

let service: Service;
let token: string;

beforeAll(async () => {
  ({ service, token } = await startWith({ agentWait: 1 }));
});

afterAll(() => service.stop());
afterEach(() => service.sandbox.dials(ID, { latencyMs: 0 }));

function call(name: string, input: object = {}) {
  return { method: 'tools/call', params: { name, arguments: input } };
}

const errorOf = ({ message }: RpcReply) =>
  (message.result?.['_meta'] as { 'svc/error'?: { code: string; jobId?: string } })?.['svc/error'];

/** Starts a call that takes longer than `--agent-wait` (1 s), and returns the ID of its job. */
async function startJob(): Promise<string> {
  await service.sandbox.dials(ID, { latencyMs: 1500 });
  const reply = await runAgent(service, call('notesmcp_query_meetings', QUESTION), { token });
  expect(errorOf(reply)).toMatchObject({ code: 'still_running', retryable: false });
  expect(firstText(reply.message.result ?? {})).toContain('get_job');
  return errorOf(reply)?.jobId ?? '';
}

async function getJob(jobId: string, bearer = token): Promise<RpcReply> {
  for (;;) {
    const reply = await runAgent(service, call('get_job', { job_id: jobId }), { token: bearer });
    if (errorOf(reply)?.code !== 'still_running') return reply;
  }
}

describe('a call that outlasts the wait of its caller', () => {
  test('continues as one job, and its result can be read repeatedly', async () => {
    await service.sandbox.clearRequests();
    const jobId = await startJob();
    const first = await getJob(jobId);
    expect(first.message.result).toMatchObject({ structuredContent: expect.any(Object) });
    expect((await getJob(jobId)).message).toEqual(first.message);
    const requests = (await service.sandbox.requests(ID)).filter(
      ({ headers }) => headers['mcp-method'] !== 'server/discover',
    );
    const calls = requests.filter(({ body }) => JSON.stringify(body).includes('query_granola_meetings'));
    expect(calls).toHaveLength(1);
  });

  let jobId: string | undefined;

  test.each([
    { title: "another user's token", request: { identifier: 'user_43' } },
    // Both tokens may call `get_job`, but not for the tool of this job.
    { title: 'a token without the tool', request: { tools: ['network_profile_scrape'] } },
    { title: 'a token without the connection', request: { connections: ['network'] } },
  ])('E5: $title cannot read the job', async ({ request }) => {
    jobId ??= await startJob();
    const job = call('get_job', { job_id: jobId });
    const other = await mintToken(service, request);
    const readJob = () => runAgent(service, job, { token: other });
    expect(errorOf(await readJob())).toMatchObject({ code: 'job_not_found' });
    await getJob(jobId);
    expect(errorOf(await readJob())).toMatchObject({ code: 'job_not_found' });
  });

  test('responds job_not_found for an unknown job', async () => {
    expect(errorOf(await getJob('job_000000000000000000000000'))).toMatchObject({ code: 'job_not_found' });
  });
});

describe('a call that ends within the wait of its caller', () => {
  const toolCall = { name: 'notesmcp_query_meetings', arguments: QUESTION };
  // Progress is reported four times per wait, so every 2 s.
  let patient: Awaited<ReturnType<typeof startWith>>;

  beforeAll(async () => {
    patient = await startWith({ agentWait: 8 });
    await patient.service.sandbox.dials(ID, { latencyMs: 2200 });
  });

  afterAll(() => patient.service.stop());

  test.each([
    { revision: '2026-07-28', connect: connectAgent, call: toolCall },
    { revision: '2025-11-25', connect: connectEarlier, call: { name: 'call_tool', arguments: toolCall } },
  ])('reports progress to a client of $revision that requested it', async ({ connect, call }) => {
    const client = await connect(patient.service, { token: patient.token });
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void reports.push(progress);
    // The SDK of revision 2025-11-25 takes the result schema as the second argument, before the options.
    const result =
      client instanceof EarlierClient
        ? await client.callTool(call, undefined, { onprogress })
        : await client.callTool(call, { onprogress });
    expect(result.isError).toBeUndefined();
    expect(reports.length).toBeGreaterThan(0);
    expect(reports).toEqual([...new Set(reports)].toSorted((one, other) => one - other));
    await client.close();
  });
});
