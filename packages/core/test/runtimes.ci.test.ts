import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bringRuntimes, bundle, COMMANDS, runProgram, startWorker } from './runtimes.js';

const CORE = path.join(import.meta.dirname, '..');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const OTHER = `whsec_${'A'.repeat(43)}=`;
const BODY = JSON.stringify({
  type: 'account.deleted',
  timestamp: '2026-11-20T09:00:00.000Z',
  data: { accountId: 'acct_1', connectionName: 'crm', identifier: 'Zoë' },
});

/** Builds a request with a signature that neither of the compared libraries has made. */
function requestOf({ secrets = [SECRET], body = BODY, ageSeconds = 0 } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(`evt_1.${timestamp}.${body}`)
      .digest('base64');
  return {
    body,
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
    },
  };
}

interface Case {
  readonly title: string;
  readonly request: ReturnType<typeof requestOf>;
  readonly secrets: readonly string[];
  /** Type of the event, or the problem of the refused request. */
  readonly expected: string;
}

/** Creates the cases just before they are used, because a signature is valid for five minutes. */
const createCases = (): readonly Case[] => [
  { title: 'a valid request', request: requestOf(), secrets: [SECRET], expected: 'account.deleted' },
  {
    title: 'a request that two secrets sign',
    request: requestOf({ secrets: [OTHER, SECRET] }),
    secrets: [SECRET],
    expected: 'account.deleted',
  },
  {
    title: 'a receiver with two secrets',
    request: requestOf(),
    secrets: [OTHER, SECRET],
    expected: 'account.deleted',
  },
  {
    title: 'a signature by another secret',
    request: requestOf({ secrets: [OTHER] }),
    secrets: [SECRET],
    expected: 'signature',
  },
  {
    title: 'a changed body',
    request: { ...requestOf(), body: BODY.replace('crm', 'erp') },
    secrets: [SECRET],
    expected: 'signature',
  },
  {
    title: 'an old request',
    request: requestOf({ ageSeconds: 600 }),
    secrets: [SECRET],
    expected: 'timestamp',
  },
  {
    title: 'a request from the future',
    request: requestOf({ ageSeconds: -600 }),
    secrets: [SECRET],
    expected: 'timestamp',
  },
];

// Runs in each runtime, so it uses only what all of them have.
const PROGRAM = `
import { verifyWebhook } from '@svc/core/events';
import { Webhook } from 'standardwebhooks';

const outcomeOf = (promise) => promise.then(({ type }) => type, (error) => error.problem ?? String(error));

function byStandard({ body, headers }, secrets) {
  for (const secret of secrets) {
    try {
      return new Webhook(secret).verify(body, headers).type;
    } catch {}
  }
  return 'refused';
}

async function signedByStandard(body, secret) {
  const at = new Date();
  const headers = {
    'webhook-id': 'evt_2',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_2', at, body),
  };
  return outcomeOf(verifyWebhook(body, headers, secret));
}

export async function run(cases) {
  const outcomes = {};
  for (const { title, request, secrets } of cases) {
    const { body, headers } = request;
    outcomes[title] = {
      text: await outcomeOf(verifyWebhook(body, headers, secrets)),
      bytes: await outcomeOf(verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secrets)),
      standard: byStandard(request, secrets),
    };
  }
  const { request: { body }, secrets: [secret] } = cases[0];
  outcomes['signed by standardwebhooks'] = await signedByStandard(body, secret);
  return JSON.stringify(outcomes);
}
`;
// Embeds the built module itself. Only the library that it is compared with is bundled.
const CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    compatibilityDate = "2026-06-01",
    modules = [
      (name = "worker.mjs", esModule = embed "worker.mjs"),
      (name = "program.mjs", esModule = embed "program.mjs"),
      (name = "@svc/core/events", esModule = embed "events.js"),
      (name = "standardwebhooks", esModule = embed "standardwebhooks.mjs")]))],
  sockets = [(name = "http", http = (), service = "main")]);
`;

const expectedOf = (cases: readonly Case[]) => ({
  ...Object.fromEntries(
    cases.map(({ title, expected }) => [
      title,
      { text: expected, bytes: expected, standard: expected.includes('.') ? expected : 'refused' },
    ]),
  ),
  'signed by standardwebhooks': 'account.deleted',
});

let folder: string;
let expected: ReturnType<typeof expectedOf>;

beforeAll(() => {
  const parent = path.join(CORE, 'node_modules/.runtimes');
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(path.join(parent, 'run-'));
  bringRuntimes();
  const cases = createCases();
  expected = expectedOf(cases);
  const call = `run(${JSON.stringify(cases)})`;
  const imported = "import { run } from './program.mjs';\n";
  // Copies what npm publishes, because Deno refuses modules of a link that leads out of node_modules.
  for (const name of ['package.json', 'dist'])
    cpSync(path.join(CORE, name), path.join(folder, 'node_modules/@svc/core', name), { recursive: true });
  const library = realpathSync(path.join(CORE, 'node_modules/standardwebhooks'));
  symlinkSync(library, path.join(folder, 'node_modules/standardwebhooks'));
  symlinkSync(path.join(CORE, 'dist/events.js'), path.join(folder, 'events.js'));
  const written = {
    'package.json': '{ "type": "module" }',
    'program.mjs': PROGRAM,
    'main.mjs': `${imported}console.log(await ${call});\n`,
    'worker.mjs': `${imported}export default { fetch: async () => new Response(await ${call}) };\n`,
    'workerd.capnp': CONFIG,
    'library.mjs': "export { Webhook } from 'standardwebhooks';",
  };
  for (const [name, text] of Object.entries(written)) writeFileSync(path.join(folder, name), text);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The runtimes are installed for Linux alone, where CI runs.
describe.skipIf(process.platform !== 'linux')('verifyWebhook', () => {
  test.each(Object.entries(COMMANDS))('gives the same results as standardwebhooks on %s', (_, commandOf) => {
    const printed = runProgram([...commandOf(), 'main.mjs'], folder);
    expect(JSON.parse(printed)).toEqual(expected);
  });

  test('gives the same results as standardwebhooks in workerd, the runtime of Cloudflare Workers', async () => {
    bundle(path.join(folder, 'library.mjs'), path.join(folder, 'standardwebhooks.mjs'));
    const { url, stop } = await startWorker('workerd.capnp', folder);
    const respond = () =>
      fetch(url).then(
        (response) => response.json(),
        () => undefined,
      );
    try {
      await expect.poll(respond).toBeDefined();
      expect(await respond()).toEqual(expected);
    } finally {
      stop();
    }
  });
});
