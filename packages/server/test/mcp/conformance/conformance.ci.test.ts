import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectConformance,
  runScenarios,
  type ScenarioResult,
  startSuiteService,
} from '../../support/mcp/conformance/client-scenarios.js';
import { requiredScenarios } from '../../support/mcp/conformance/run-suite.js';
import type { Service } from '../../support/service/service.js';

/** Scenarios that the service does not support, each with its reason. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'elicitation-sep1034-client-defaults':
    'nobody is there to fill in a form while a tool runs, so forms are not announced, and never accepted in the name of a user',
};

const SUITES = [
  { revision: '2025-11-25', authorization: 14, others: 4 },
  { revision: '2026-07-28', authorization: 25, others: 7 },
];

let service: Service;

beforeAll(async () => {
  service = await startSuiteService();
});

afterAll(() => service.stop());

describe.each(SUITES)('$revision', ({ revision, authorization, others }) => {
  const scenarios = requiredScenarios(revision);
  const isDriven = (name: string) => scenarios.includes(name) && !(name in UNSUPPORTED);
  let results: ReadonlyMap<string, ScenarioResult>;

  const run = (...selection: string[]) => runScenarios(service, { revision, selection, isDriven });

  beforeAll(async () => {
    results = await run('--requirements', revision);
    // Runs `sse-retry` again on its own, because it measures half a second, and concurrent scenarios would delay it.
    const timed = scenarios.includes('sse-retry') ? ['sse-retry'] : [];
    for (const name of timed) {
      const again = await run('--scenario', name, '--spec-version', revision);
      results = new Map([...results, ...again]);
    }
  }, 300_000);

  test('O22: the suite requires the expected number of scenarios', () => {
    const guarded = scenarios.filter((name) => name.startsWith('auth/'));
    expect([guarded.length, scenarios.length - guarded.length]).toEqual([authorization, others]);
  });

  test.each(scenarios.filter(isDriven))(`O22: ${revision} %s`, (name) =>
    expectConformance(name, results.get(name)),
  );
});
