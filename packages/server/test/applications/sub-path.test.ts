import {
  Client,
  discoverAuthorizationServerMetadata,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { createClient } from '@svc/core';
import { approve } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPrefixProxy } from '../../../../scripts/prefix-proxy.js';
import { createProvider } from '../support/mcp/client-provider.js';
import { agree, openSignIn, type Signing } from '../support/mcp/sign-in.js';
import { newPort } from '../support/processes/new-port.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

/** Service at the path `/svc` of a host, behind a proxy that forwards only URLs below that path. */
let service: Service;
let signing: Signing;
let url = '';
/** URL of the service without the proxy. */
let direct = '';
let stopProxy: () => void;

beforeAll(async () => {
  const port = await newPort();
  url = `http://localhost:${port}/svc`;
  const started = await startService({ connectors: ['calendar'], flags: ['--environment-url', url] });
  direct = started.url;
  const proxy = await startPrefixProxy({
    port,
    prefix: '/svc',
    servicePort: Number(new URL(started.url).port),
  });
  stopProxy = proxy.stop;
  const { clientId, clientSecret } = started;
  service = { ...started, url, svc: createClient({ environmentUrl: url, clientId, clientSecret }) };
  await connectAccount(service, 'calendar');
  signing = await openSignIn(service);
});
afterAll(async () => {
  stopProxy();
  await service.stop();
});

const fetchText = async (target: string) => {
  const reply = await fetch(target);
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
};

test('a user connects an account under the sub-path', async () => {
  const { data } = await service.svc
    .call<{ link: string }>({
      method: 'POST',
      path: '/v1/connections/calendar/accounts/ada/authorization-link',
    })
    .then((data) => ({ data }));
  expect(data.link.startsWith(`${url}/connect/`)).toBe(true);
  expect((await approve(data.link)).status).toBe(200);
});

test('the root redirects to the dashboard, whose files are under the sub-path', async () => {
  const page = await fetch(`${url}/`);
  expect(page.url).toBe(`${url}/dashboard/`);
  for (const deep of ['', 'audit', 'applications/app_test/connections']) {
    const { text } = await fetchText(`${url}/dashboard/${deep}`);
    expect(text).toContain('data-base-path="/svc"');
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(1);
    for (const path of files) {
      const file = await fetchText(new URL(path, url).href);
      expect({ path, status: file.status }).toEqual({ path, status: 200 });
      expect(file.text).not.toMatch(/["'(`]\/(?:dashboard|operator)\//);
    }
  }
});

test('an MCP client discovers the authorization server, signs its user in and calls a tool', async () => {
  const { stored, provider } = createProvider(signing.clientId);
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(signing.resource), { authProvider: provider });
  const client = { name: 'test', version: '1.0.0' };
  const first = transport();
  await expect(new Client(client).connect(first)).rejects.toThrow(UnauthorizedError);
  expect(stored.url?.href.startsWith(`${signing.issuer}/authorize?`)).toBe(true);
  const back = await agree(signing, stored.url?.href ?? '');
  await first.finishAuth(back.searchParams);
  const signedIn = new Client(client);
  await signedIn.connect(transport());
  expect(await signedIn.callTool({ name: 'calendar_list_calendars', arguments: {} })).toMatchObject({
    structuredContent: { items: expect.any(Array) },
  });
  await signedIn.close();
});

test('the metadata is served at every URL of RFC 8414, RFC 9728 and OpenID Connect', async () => {
  const issuerPath = new URL(signing.issuer).pathname;
  const ofIssuer = [
    `/.well-known/oauth-authorization-server${issuerPath}`,
    `/.well-known/oauth-authorization-server${issuerPath.slice('/svc'.length)}`,
    `${issuerPath.slice('/svc'.length)}/.well-known/oauth-authorization-server`,
    `${issuerPath.slice('/svc'.length)}/.well-known/openid-configuration`,
  ];
  // Sends requests without the proxy. They reach the service like requests through a proxy that forwards every path.
  for (const path of ofIssuer)
    expect(JSON.parse((await fetchText(direct + path)).text)).toMatchObject({ issuer: signing.issuer });
  const resource = await fetchText(`${direct}/.well-known/oauth-protected-resource/svc/mcp`);
  expect(JSON.parse(resource.text)).toMatchObject({ resource: `${url}/mcp` });
  // Discovers the metadata with a client library. Only its last candidate URL works, because the proxy forwards only
  // URLs below `/svc`.
  const metadata = await discoverAuthorizationServerMetadata(signing.issuer);
  expect(metadata).toMatchObject({ issuer: signing.issuer, jwks_uri: `${signing.issuer}/keys` });
  expect(JSON.parse((await fetchText(`${signing.issuer}/keys`)).text)).toEqual({ keys: [] });
});
