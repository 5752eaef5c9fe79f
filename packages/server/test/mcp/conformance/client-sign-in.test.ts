import { expect, onTestFinished, test } from 'vitest';
import {
  expectConformance,
  runScenarios,
  startSuiteService,
} from '../../support/mcp/conformance/client-scenarios.js';

// Scenario of conformance.ci.test.ts that covers all steps of a sign-in. Quick runs test only this scenario.
const SCENARIO = 'auth/metadata-default';
const REVISION = '2025-11-25';

test(`O22: the MCP conformance suite passes in the scenario ${SCENARIO}`, async () => {
  const service = await startSuiteService();
  onTestFinished(service.stop);
  const results = await runScenarios(service, {
    revision: REVISION,
    selection: ['--scenario', SCENARIO, '--spec-version', REVISION],
    isDriven: (name) => name === SCENARIO,
  });
  expect([...results.keys()]).toEqual([SCENARIO]);
  expectConformance(SCENARIO, results.get(SCENARIO));
}, 120_000);
