import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Check, runAuthorizationSuite } from '../../support/mcp/conformance/run-suite.js';
import { agree, openSignIn, type Signing } from '../../support/mcp/sign-in.js';
import { newPort } from '../../support/processes/new-port.js';
import { type Service, startService } from '../../support/service/service.js';

const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

let service: Service;
let checks: Map<string, readonly Check[]>;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  const signing: Signing = await openSignIn(service);
  checks = await runAuthorizationSuite({
    ...signing,
    port: await newPort(),
    agree: async (url) => (await agree(signing, url)).href,
  });
}, 120_000);

afterAll(() => service.stop());

test.each(SCENARIOS)('E6: %s', (name) => {
  const [, results = []] = [...checks].find(([scenario]) => scenario.includes(name)) ?? [];
  const wrong = results.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  expect(wrong).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});
