import type { AddressInfo, Server } from 'node:net';
import { startSandbox } from '@svc/sandbox';
import { listForSandbox } from '../service/allowed-origins.js';
import { type Application, signIn } from '../service/application.js';
import { addApplication } from '../service/second-application.js';
import { type Service, startService } from '../service/service.js';

/** Service whose upstream the test implements. Two applications each have a connection to this upstream. */
export interface BeforeUpstream {
  readonly service: Service;
  readonly origin: string;
  readonly first: Application;
  readonly second: Application;
  stop(): Promise<void>;
}

/** Proxy path of the account `user_42`, which both applications have. */
export const PROXY_PATH = '/v1/proxy/played/user_42';

const CONNECTOR = 'convintel';

async function connect({ call }: Application, baseUrl: string): Promise<void> {
  const created = await call('POST', '/v1/connections', {
    body: { connectionName: 'played', connector: CONNECTOR, baseUrl },
  });
  const account = await call('PUT', '/v1/connections/played/accounts/user_42', {
    body: { bearerToken: 'played-token', verify: false },
  });
  if (created.status !== 201 || account.status !== 201) throw new Error(created.text + account.text);
}

export async function startBefore(upstream: Server, more: readonly string[] = []): Promise<BeforeUpstream> {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const sandbox = await startSandbox({ connectors: [CONNECTOR] });
  const flags = ['--allowed-origins', `${listForSandbox(sandbox)},${CONNECTOR}=${origin}`];
  // Rate limits are raised, because the tests are about the content of upstream requests.
  const unlimited = [
    '--rate-application',
    '1000000',
    '--rate-account',
    '1000000',
    '--rate-address',
    '1000000',
  ];
  const service = await startService({ sandbox, flags: [...flags, ...unlimited, ...more] });
  const [first, second] = [await signIn(service), await addApplication(service)];
  for (const application of [first, second]) await connect(application, origin);
  return {
    service,
    origin,
    first,
    second,
    stop: async () => {
      await service.stop();
      upstream.close();
    },
  };
}
