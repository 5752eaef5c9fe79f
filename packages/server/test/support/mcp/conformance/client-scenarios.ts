import { startSandbox } from '@svc/sandbox';
import { expect } from 'vitest';
import { newFolder } from '../../processes/new-folder.js';
import { listFor, listForSandbox } from '../../service/allowed-origins.js';
import { type Service, startService } from '../../service/service.js';
import { writeFiles } from '../../upstreams/parcels.js';
import { conformanceCatalog } from './catalog.js';
import { drive, type Outcome } from './drive.js';
import { type Check, runSuite } from './run-suite.js';

/** Scenarios with an untrustworthy server, each with the error that the service must return. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'auth/resource-mismatch': /belongs to another resource/,
  'auth/metadata-issuer-mismatch': /belongs to another issuer/,
  'auth/iss-supported-missing': /did not complete the connection/,
  'auth/iss-wrong-issuer': /did not complete the connection/,
  'auth/iss-unexpected': /did not complete the connection/,
  'auth/iss-normalized': /did not complete the connection/,
};

const EVERY_PORT = Array.from({ length: 64_512 }, (_, index) => `http://localhost:${1024 + index}`);
// Client metadata URL that the suite prescribes. The suite never requests the document.
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** Starts a service that may call the suite's servers on any loopback port. */
export async function startSuiteService(): Promise<Service> {
  const files = conformanceCatalog();
  const catalog = writeFiles(newFolder(), files);
  const sandbox = await startSandbox({ connectors: ['notesmcp'] });
  const connectors = Object.keys(files).flatMap((file) => /^(.+)\/connector\.json$/.exec(file)?.[1] ?? []);
  const origins = ['--allowed-origins', `${listFor(connectors, EVERY_PORT)},${listForSandbox(sandbox)}`];
  return startService({
    sandbox,
    flags: ['--catalog', catalog, '--client-metadata-url', METADATA_URL, ...origins],
  });
}

export interface ScenarioResult {
  readonly checks: readonly Check[];
  /** Result of the service in the scenario; `undefined` if the suite did not start it. */
  readonly outcome: Outcome | undefined;
}

interface ScenarioRun {
  readonly revision: string;
  /** Arguments of the suite's command, such as `--requirements 2026-07-28`. */
  readonly selection: readonly string[];
  /** Returns whether the service takes part in a scenario. The suite also runs extensions and later revisions. */
  readonly isDriven: (scenario: string) => boolean;
}

/** Runs scenarios of the suite with the service as the MCP client, and returns the results by scenario. */
export async function runScenarios(
  service: Service,
  { revision, selection, isDriven }: ScenarioRun,
): Promise<ReadonlyMap<string, ScenarioResult>> {
  const outcomes = new Map<string, Outcome>();
  const checks = await runSuite(selection, async (task) => {
    if (!isDriven(task.scenario)) return false;
    const connectionName = `${revision}-${crypto.randomUUID()}`;
    const outcome = await drive(service, connectionName, task);
    outcomes.set(task.scenario, outcome);
    return outcome.isDone;
  });
  return new Map(
    [...checks].map(([name, results]) => [name, { checks: results, outcome: outcomes.get(name) }]),
  );
}

const summary = ({ status, id, description, errorMessage = description }: Check) =>
  `${status} ${id}: ${errorMessage}`;

export function expectConformance(
  scenario: string,
  { checks, outcome }: ScenarioResult = { checks: [], outcome: undefined },
): void {
  const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(summary);
  expect(wrong).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0);
  const refusal = REFUSED[scenario];
  expect(outcome?.isDone).toBe(refusal === undefined);
  if (refusal) expect(JSON.stringify(outcome?.replies)).toMatch(refusal);
}
