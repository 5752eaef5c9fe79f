import type { ProxyRequest } from '@svc/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { type ConvintelService, startConvintel } from '../../support/upstreams/start-convintel.js';

const MINUTE = 60_000;

let convintel: ConvintelService;

beforeAll(async () => {
  convintel = await startConvintel();
});

afterAll(() => convintel.stop());

beforeEach(() => convintel.service.sandbox.reset());

/** Builds an upload as multipart form data. An undefined `file` tests an upload without its file. */
async function uploadOf(file: Blob | undefined, title = 'Call with Ben'): Promise<ProxyRequest> {
  const form = new FormData();
  const fields = { hostUserEmail: 'ada@example.com', language: 'en_GB', title };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== undefined) form.append('file', file, 'call.mp3');
  const encoded = new Response(form);
  return {
    connectionName: 'convintel',
    identifier: 'user_42',
    path: '/uploadActivity',
    method: 'POST',
    form_data: await encoded.arrayBuffer(),
    headers: { 'Content-Type': `${encoded.headers.get('content-type')}` },
  };
}

describe('an upload of a recording through the proxy', () => {
  const sound = new Blob([new Uint8Array(300_000).map((_, index) => index % 251)]);

  test.each([
    { title: 'sends multipart form data from a buffer', send: (request: ProxyRequest) => request },
    {
      title: 'sends multipart form data from a stream',
      send: ({ form_data, ...request }: ProxyRequest) => ({
        ...request,
        form_data: form_data instanceof ArrayBuffer ? new Blob([form_data]).stream() : undefined,
      }),
    },
  ])('$title', async ({ send }) => {
    const { service, tools } = convintel;
    const response = await service.svc.request<{ id: string }>(send(await uploadOf(sound)));
    await service.sandbox.clock.advance(6 * MINUTE);
    const { data: transcript } = await tools.transcriptGet({ activityId: response.data.id });

    expect(response.status).toBe(201);
    expect(transcript?.[0]?.transcript).toContain('Call with Ben');
  });

  test('is refused by the upstream when the file is missing', async () => {
    const { service, tools } = convintel;
    const error = await rejection(service.svc.request(await uploadOf(undefined, 'No file')));
    const { data: list } = await tools.activitiesList({
      updatedFrom: '2026-11-20 11:59:00',
      status: 'in-progress',
    });

    expect(error).toMatchObject({
      code: 'upstream_failed',
      status: 422,
      body: { errors: { file: [expect.anything()] } },
    });
    expect(list.results).toEqual([]);
  });
});

describe('the region of a connection', () => {
  const connect = (body: object) =>
    convintel.application.call('POST', '/v1/connections', { body: { connector: 'convintel', ...body } });
  const organization = async (connectionName: string, bearerToken: string) => {
    const { svc } = convintel.service;
    const account = { connectionName, identifier: 'user_42' };
    await svc.getOrCreateConnectedAccount({ ...account, bearerToken });
    return svc.request<{ name: string }>({ ...account, path: '/me', method: 'GET' });
  };

  test.each([
    { region: 'us', baseUrl: 'https://app.jiminny.com/customer/api/v1' },
    { region: 'eu', baseUrl: 'https://app.jiminny.eu/customer/api/v1' },
  ])('selects the base URL: $region', async ({ region, baseUrl }) => {
    const reply = await connect({ connectionName: `calls-${region}`, region });

    expect(reply.json()).toMatchObject({ connector: 'convintel', region, baseUrl });
  });

  test('is refused when it is unknown', async () => {
    const reply = await connect({ connectionName: 'calls-mars', region: 'mars' });

    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/us, eu/);
  });

  test('has to match the region of the key, which can be replaced', async () => {
    const { baseUrl } = convintel.service.sandbox.upstream('convintel');
    await connect({ connectionName: 'calls-europe', baseUrl: `${baseUrl}/eu` });

    const error = await rejection(organization('calls-europe', 'sandbox-key'));
    const response = await organization('calls-europe', 'sandbox-eu-key');

    expect(error).toMatchObject({
      details: { reason: 'key_refused' },
      message: expect.stringContaining('belongs to another region'),
    });
    expect(response.data.name).toBe('Analytical Engines GmbH');
  });
});

test('a tool reports that a refused key may belong to the other region', async () => {
  await convintel.service.sandbox.dials('convintel', { failNext: { count: 1, status: 401 } });

  const error = await rejection(convintel.tools.testToolXyz());

  expect(error).toMatchObject({
    details: { statusReason: 'key_refused' },
    message: expect.stringContaining('belongs to another region'),
  });
});
