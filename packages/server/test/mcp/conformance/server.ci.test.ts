import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../support/mcp/agent.js';
import { type Check, requiredScenarios, runServerSuite } from '../../support/mcp/conformance/run-suite.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';

const NO_TOOL_OF_THE_SUITE =
  'the suite calls its own tool, whose results no connector returns; test/agents covers the same with existing tools';
const ONLY_TOOLS = 'the service has tools, and no resources, prompts, completions or log messages';
const NO_QUESTIONS =
  'a running tool only asks its user to open a link; test/mcp/accounts.test.ts covers that';

/** Scenarios that the service does not support, each with its reason. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress'].map(
      (name) => [`tools-call-${name}`, NO_TOOL_OF_THE_SUITE],
    ),
  ),
  ...Object.fromEntries(
    [
      'logging-set-level',
      'tools-call-with-logging',
      'completion-complete',
      ...['list', 'read-text', 'read-binary', 'templates-read', 'subscribe', 'unsubscribe'].map(
        (name) => `resources-${name}`,
      ),
      ...['list', 'get-simple', 'get-with-args', 'get-embedded-resource', 'get-with-image'].map(
        (name) => `prompts-${name}`,
      ),
      'input-required-result-non-tool-request',
      'sep-2164-resource-not-found',
    ].map((name) => [name, ONLY_TOOLS]),
  ),
  ...Object.fromEntries(
    [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      ...[
        'missing-input-response',
        'ignore-extra-params',
        'basic-elicitation',
        'basic-sampling',
        'basic-list-roots',
        'request-state',
        'multiple-input-requests',
        'multi-round',
        'result-type',
        'tampered-state',
        'capability-check',
      ].map((name) => `input-required-result-${name}`),
    ].map((name) => [name, NO_QUESTIONS]),
  ),
};

/** Unsupported checks, each with its reason, in scenarios that are otherwise supported. */
const UNSUPPORTED_CHECKS: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': NO_TOOL_OF_THE_SUITE,
  'sep-2575-missing-capability-http-400': NO_TOOL_OF_THE_SUITE,
  'sep-2575-http-server-no-independent-requests-on-stream': NO_TOOL_OF_THE_SUITE,
  'sep-2575-server-no-log-without-loglevel': NO_TOOL_OF_THE_SUITE,
  'server-sse-multiple-streams-session': 'there are no sessions, which every revision leaves to the server',
  'sep-2549-prompts-list-caching-hints': ONLY_TOOLS,
  'sep-2549-resources-list-caching-hints': ONLY_TOOLS,
  'sep-2549-resources-templates-list-caching-hints': ONLY_TOOLS,
};

const SUITES = [
  { revision: '2025-11-25', driven: 5 },
  { revision: '2026-07-28', driven: 7 },
];

const summary = ({ status, id, description, errorMessage = description }: Check) =>
  `${status} ${id}: ${errorMessage}`;

let service: Service;
let front: Server;
let url: string;

/** Starts a proxy that adds a bearer token to each request, because the suite cannot send tokens. */
function addToken(token: string): Server {
  return createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const onward = request(`${service.url}/mcp`, { method: from.method, headers }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
    });
    from.pipe(onward);
  });
}

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar');
  front = addToken(await mintToken(service));
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  url = `http://localhost:${(front.address() as AddressInfo).port}`;
  await service.app.applications.change(service.clientId, { origins: [url] });
});

afterAll(async () => {
  front.close();
  await service.stop();
});

describe.each(SUITES)('$revision', ({ revision, driven }) => {
  const scenarios = requiredScenarios(revision, 'server');
  const supported = scenarios.filter((name) => !(name in UNSUPPORTED));
  let checks: Map<string, readonly Check[]>;

  beforeAll(async () => {
    checks = await runServerSuite(url, revision);
  }, 300_000);

  test('E6: the suite requires the expected number of scenarios', () => {
    expect(supported).toHaveLength(driven);
  });

  test.each(supported)(`E6: ${revision} %s`, (name) => {
    const results = checks.get(name) ?? [];
    const wrong = results.filter(
      ({ id, status }) => (status === 'FAILURE' || status === 'WARNING') && !(id in UNSUPPORTED_CHECKS),
    );
    expect(wrong.map(summary)).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  });
});
