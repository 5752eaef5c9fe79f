import { expect, onTestFinished, test } from 'vitest';
import { readEverything } from '../support/databases/read-everything.js';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  newSettings,
  runService,
  type ServiceSettings,
  startProcess,
} from '../support/processes/service-process.js';
import { createSecrets } from '../support/secrets/secrets.js';
import { signIn } from '../support/service/application.js';
import { AWS_ARN, awsSettings, type KeyService, startAwsKms } from '../support/upstreams/key-services.js';
import { API_KEY, parcels, startParcelService, writeFiles } from '../support/upstreams/parcels.js';

async function startOverAws() {
  const keyService = await startAwsKms();
  const upstream = await startParcelService();
  const catalog = writeFiles(newDataFolder(), parcels);
  const settings = await newSettings({
    flags: ['--catalog', catalog, '--allowed-origins', `parcels=${upstream.url}`, '--log-level', 'trace'],
    env: { SVC_ROOT_KEY: `aws-kms:${AWS_ARN}`, ...awsSettings(keyService) },
  });
  onTestFinished(() => {
    keyService.stop();
    upstream.stop();
  });
  return { keyService, upstream, settings };
}

async function start(settings: ServiceSettings) {
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  return { service, application: await signIn(service) };
}

const READ = '/v1/proxy/parcels/ada/v1/parcels';

function secretsOf({ material }: KeyService): ReturnType<typeof createSecrets> {
  const secrets = createSecrets();
  secrets.addBytes('the material of the key', material);
  secrets.add('the credentials of the operator', 'the-secret-key-of-the-operator-at-aws');
  secrets.add('the key of the parcel service', API_KEY);
  return secrets;
}

test('K5: calls get 503 while the key service is down without a cached data key, and then recover', async () => {
  const { keyService, upstream, settings } = await startOverAws();
  const first = await start(settings);
  const connection = { connectionName: 'parcels', connector: 'parcels', baseUrl: upstream.url };
  await first.application.call('POST', '/v1/connections', { body: connection });
  await first.application.call('PUT', '/v1/connections/parcels/accounts/ada', { body: { apiKey: API_KEY } });
  await first.service.kill();

  const { service, application } = await start(settings);
  keyService.setDown(true);
  const refused = await application.call('GET', READ);
  expect(refused.status).toBe(503);
  expect(refused.json()).toMatchObject({ error: { code: 'unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  keyService.setDown(false);
  expect((await application.call('GET', READ)).status).toBe(200);
  keyService.setDown(true);
  expect((await application.call('GET', READ)).status).toBe(200);

  service.signal('SIGTERM');
  const { stdout, stderr } = await service.ended;
  const databaseUrl = settings.env?.['DATABASE_URL'];
  const stored = await readEverything({ data: settings.data, databaseUrl });
  const seen = Buffer.concat([stored, Buffer.from(stdout + stderr + refused.text)]);
  expect(secretsOf(keyService).findIn(seen)).toEqual([]);
}, 120_000);

test('K3: a start without a reachable key service ends with one sentence before it listens', async () => {
  const { keyService, settings } = await startOverAws();
  keyService.setDown(true);
  const env = { ...settings.env, SVC_DATA: settings.data, SVC_PORT: String(await newPort()) };
  const { code, stdout, stderr } = await runService({ env }).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The key service with the root key cannot be reached\. .+ Cause: .+\.\n$/);
}, 60_000);
