import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import {
  AWS_ARN,
  awsSettings,
  GOOGLE_KEY,
  googleClient,
  type KeyService,
  startAwsKms,
  startGoogleKms,
} from '../../test/support/upstreams/key-services.js';
import { secret } from '../secret.js';
import { createAwsRootKey } from './aws-root-key.js';
import type { KeyLocation } from './ciphertext.js';
import { createGoogleRootKey, type GoogleKms } from './google-root-key.js';
import { loadClient } from './key-service.js';
import { loadRootKeys } from './load-root-keys.js';
import { openPepper } from './pepper.js';
import { createRootKeys } from './root-keys.js';
import { createVault } from './vault.js';

const PLAIN = randomBytes(32);
const location: KeyLocation = {
  applicationId: 'app_1',
  table: 'data_keys',
  rowId: 'key_1',
  column: 'wrapped_key',
};

async function started(start: () => Promise<KeyService>): Promise<KeyService> {
  const service = await start();
  onTestFinished(service.stop);
  return service;
}

const SERVICES = [
  {
    title: 'AWS KMS',
    start: startAwsKms,
    open: async (service: KeyService) => {
      for (const [name, value] of Object.entries(awsSettings(service))) vi.stubEnv(name, value);
      return createAwsRootKey(AWS_ARN, 'SVC_ROOT_KEY');
    },
  },
  {
    title: 'Google Cloud KMS',
    start: startGoogleKms,
    open: async (service: KeyService) =>
      createGoogleRootKey(GOOGLE_KEY, { from: 'SVC_ROOT_KEY', client: googleClient(service) }),
  },
];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(SERVICES)('a root key of $title', ({ start, open }) => {
  test('K1: wraps and unwraps through the client of the service', async () => {
    const service = await started(start);
    const key = await open(service);
    const body = await key.wrap(location, PLAIN);
    expect(body.includes(PLAIN)).toBe(false);
    expect(await key.unwrap(location, body)).toEqual(PLAIN);
    expect(service.calls()).toBe(2);
    expect(key.id).toMatch(/^[a-z0-9]+$/);
  });

  test('K2: is bound to the row, column and application of the wrapped key', async () => {
    const key = await open(await started(start));
    const rootKeys = createRootKeys(() => [key]);
    const wrapped = await rootKeys.wrap(location, PLAIN);
    const others: KeyLocation[] = [
      { ...location, rowId: 'key_2' },
      { ...location, applicationId: 'app_2' },
      { ...location, table: 'settings', column: 'value' },
    ];
    for (const other of others) {
      await expect(rootKeys.unwrap(other, wrapped)).rejects.toMatchObject({ code: 'internal_error' });
    }
  });

  test('K5: is unavailable while the key service is down and works again at once', async () => {
    const service = await started(start);
    const key = await open(service);
    const body = await key.wrap(location, PLAIN);
    service.setDown(true);
    const down = { code: 'unavailable', details: { retryAfter: 5 } };
    await expect(key.unwrap(location, body)).rejects.toMatchObject(down);
    await expect(key.wrap(location, PLAIN)).rejects.toMatchObject(down);
    service.setDown(false);
    expect(await key.unwrap(location, body)).toEqual(PLAIN);
  });
});

test.each([
  {
    value: 'aws-kms:1234abcd',
    says: /^SVC_ROOT_KEY does not name a key of AWS KMS. Write aws-kms:, followed by the ARN/,
  },
  {
    value: 'gcp-kms:root',
    says: /^SVC_ROOT_KEY does not name a key of Google Cloud KMS. Write gcp-kms:projects/,
  },
])('K3: $value is refused in one sentence', async ({ value, says }) => {
  const source = { value, previous: [], file: '/nowhere/root.key', random: randomBytes };
  await expect(loadRootKeys(source)).rejects.toThrow(says);
});

test('K3: a missing client package is named', async () => {
  const missing = 'a-key-service-that-nobody-has-installed';
  await expect(loadClient(missing, () => import(missing))).rejects.toThrow(
    `The root key belongs to a key service whose client is not installed. Run \`npm install ${missing}\` in the folder of the service.`,
  );
});

const REFUSED = {
  code: 'unavailable',
  message: expect.stringMatching(/^The key service refuses to use the root key\. .+ operator/),
  details: { retryAfter: 60, reason: 'key_service' },
};

test('K5: an unknown key of AWS KMS is a refusal that lasts, not an outage', async () => {
  const service = await started(startAwsKms);
  for (const [name, value] of Object.entries(awsSettings(service))) vi.stubEnv(name, value);
  const key = await createAwsRootKey(AWS_ARN.replace('1234abcd', '99999999'), 'SVC_ROOT_KEY');
  await expect(key.wrap(location, PLAIN)).rejects.toMatchObject(REFUSED);
});

test.each([5, 7, 9, 16])(
  'K5: the gRPC status %i of Google Cloud KMS is a refusal that lasts',
  async (code) => {
    const fail = async () => {
      throw Object.assign(new Error('refused'), { code });
    };
    const client = { encrypt: fail, decrypt: fail } as unknown as GoogleKms;
    const key = await createGoogleRootKey(GOOGLE_KEY, { from: 'SVC_ROOT_KEY', client });
    await expect(key.wrap(location, PLAIN)).rejects.toMatchObject(REFUSED);
    await expect(key.unwrap(location, PLAIN)).rejects.toMatchObject(REFUSED);
  },
);

describe('the vault with a key service', () => {
  let service: KeyService;
  let parts: Awaited<ReturnType<typeof createServiceParts>>;
  let sealed: string;
  let vault: ReturnType<typeof createVault>;
  const at = () =>
    ({ applicationId, table: 'connections', rowId: 'conn_1', column: 'client_secret' }) as const;
  let applicationId = '';

  beforeEach(async () => {
    service = await started(startAwsKms);
    parts = await createServiceParts();
    await parts.database.deleteFrom('settings').execute();
    for (const [name, value] of Object.entries(awsSettings(service))) vi.stubEnv(name, value);
    const key = await createAwsRootKey(AWS_ARN, 'SVC_ROOT_KEY');
    const rootKeys = createRootKeys(() => [key]);
    await openPepper({ ...parts, rootKeys });
    applicationId = await addApplication(parts, 'One');
    vault = createVault({ ...parts, rootKeys });
    sealed = await vault.seal(at(), secret('token'));
  });

  test('K5: uses a cached data key for 5 min without the key service, and no longer', async () => {
    service.setDown(true);
    parts.clock.advance(5 * 60_000 - 1);
    expect((await vault.open(at(), sealed)).reveal()).toBe('token');
    expect(await vault.seal(at(), secret('other'))).toMatch(/^v1\.key_/);
    parts.clock.advance(2);
    for (const call of [() => vault.open(at(), sealed), () => vault.seal(at(), secret('other'))]) {
      await expect(call()).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
    }
  });

  test('K5: recovers without a restart as soon as the key service does', async () => {
    service.setDown(true);
    parts.clock.advance(5 * 60_000 + 1);
    const failed = await Promise.allSettled(Array.from({ length: 20 }, () => vault.open(at(), sealed)));
    expect(failed.filter(({ status }) => status === 'rejected')).toHaveLength(20);
    service.setDown(false);
    expect((await vault.open(at(), sealed)).reveal()).toBe('token');
  });

  test('K5: makes one request for a key, however many simultaneous calls need it', async () => {
    parts.clock.advance(5 * 60_000 + 1);
    const before = service.calls();
    await Promise.all(Array.from({ length: 20 }, () => vault.open(at(), sealed)));
    expect(service.calls() - before).toBe(1);
  });
});
