import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFor, listForSandbox } from '../allowed-origins.js';
import { newFolder } from '../new-folder.js';
import { writeFiles } from '../parcels.js';
import { type Service, startService } from '../service.js';
import { conformanceCatalog } from './catalog.js';
import { drive, type Outcome } from './drive.js';
import { type Check, requiredScenarios, runSuite } from './run-suite.js';

/** What the service does not do, and why. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'elicitation-sep1034-client-defaults':
    'nobody is there to fill in a form while a tool runs, so forms are not announced, and never accepted in the name of a user',
};

/** Scenarios whose server must not be trusted: what the service says instead of using it. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'auth/resource-mismatch': /about another resource/,
  'auth/metadata-issuer-mismatch': /of another issuer/,
  'auth/iss-supported-missing': /could not be completed/,
  'auth/iss-wrong-issuer': /could not be completed/,
  'auth/iss-unexpected': /could not be completed/,
  'auth/iss-normalized': /could not be completed/,
};

const SUITES = [
  { revision: '2025-11-25', authorization: 14, others: 4 },
  { revision: '2026-07-28', authorization: 25, others: 7 },
];

const EVERY_PORT = Array.from({ length: 64_512 }, (_, index) => `http://localhost:${1024 + index}`);
// Fixed by the suite, which reads no document there.
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';

const summary = ({ status, id, description, errorMessage = description }: Check) =>
  `${status} ${id}: ${errorMessage}`;

let service: Service;

beforeAll(async () => {
  const files = conformanceCatalog();
  const catalog = writeFiles(newFolder(), files);
  const sandbox = await startSandbox({ connectors: ['notesmcp'] });
  const connectors = Object.keys(files).flatMap((file) => /^(.+)\/connector\.json$/.exec(file)?.[1] ?? []);
  const origins = ['--allowed-origins', `${listFor(connectors, EVERY_PORT)},${listForSandbox(sandbox)}`];
  service = await startService({
    sandbox,
    flags: ['--catalog', catalog, '--client-metadata-url', METADATA_URL, ...origins],
  });
});

afterAll(() => service.stop());

describe.each(SUITES)('$revision', ({ revision, authorization, others }) => {
  const scenarios = requiredScenarios(revision);
  const isDriven = (name: string) => scenarios.includes(name) && !(name in UNSUPPORTED);
  const outcomes = new Map<string, Outcome>();
  let checks: Map<string, readonly Check[]>;

  const run = (...selection: string[]) =>
    runSuite(selection, async (task) => {
      // The suite also runs what it does not ask for: extensions, and what came after the revision.
      if (!isDriven(task.scenario)) return false;
      const connectionName = `${revision}-${outcomes.size}-${task.scenario}`.replaceAll('/', '-');
      const outcome = await drive(service, connectionName, task);
      outcomes.set(task.scenario, outcome);
      return outcome.isDone;
    });

  beforeAll(async () => {
    checks = await run('--requirements', revision);
    // It measures half a second, which all others at once would make longer.
    const timed = scenarios.includes('sse-retry') ? ['sse-retry'] : [];
    for (const name of timed) {
      const again = await run('--scenario', name, '--spec-version', revision);
      checks = new Map([...checks, ...again]);
    }
  }, 300_000);

  test('O22: the suite asks for what it is known to ask for', () => {
    const guarded = scenarios.filter((name) => name.startsWith('auth/'));
    expect([guarded.length, scenarios.length - guarded.length]).toEqual([authorization, others]);
  });

  test.each(scenarios.filter(isDriven))(`O22: ${revision} %s`, (name) => {
    const found = checks.get(name) ?? [];
    const wrong = found.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(summary);
    expect(wrong).toEqual([]);
    expect(found.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0);
    const outcome = outcomes.get(name);
    const refusal = REFUSED[name];
    expect(outcome?.isDone).toBe(refusal === undefined);
    if (refusal) expect(JSON.stringify(outcome?.replies)).toMatch(refusal);
  });
});
