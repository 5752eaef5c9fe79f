import { setImmediate as nextTick } from 'node:timers/promises';
import { InvalidInputError, loadCatalog } from '@svc/catalog';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.js';
import { challengeOf } from '../../src/oauth/challenge.js';
import { createDiscover } from '../../src/oauth/discover.js';
import { OAuthError } from '../../src/oauth/oauth-error.js';
import { createTokenFetch } from '../../src/oauth/token-fetch.js';
import { rewriteJsonMembers } from '../../src/proxy/rewrite-json-members.js';
import { createRequestHeaders, responseHeaders } from '../../src/upstream/headers.js';
import { createBuildTarget } from '../../src/upstream/target.js';
import { cpuOf } from '../support/processes/cpu-of.js';
import { type Making, mostly, nearValid, type Schema, strangeValue } from '../support/requests/near-valid.js';
import { inputs, rounds } from '../support/runner/rounds.js';

const NEAR: Making = { known: {}, isExact: false };

const MOST_MS = 100;
const TRIES = 3;
const PER_TICK = 100;
const MOST_CHUNKS = 2000;
const TIMEOUT_MS = Math.max(rounds(3_600_000), inputs() * 2);
const KNOWN_ERRORS = [ServiceError, OAuthError, InvalidInputError];

/** Passes generated inputs to `look`. Fails on an error outside KNOWN_ERRORS, or on more than MOST_MS of CPU time. */
async function feed<Input>(
  input: fc.Arbitrary<Input>,
  look: (input: Input) => unknown,
  numRuns = inputs(),
): Promise<void> {
  const tryOnce = async (value: Input): Promise<void> => {
    try {
      await look(value);
    } catch (error) {
      if (!KNOWN_ERRORS.some((known) => error instanceof known)) throw error;
    }
  };
  let looked = 0;
  const check = async (value: Input): Promise<void> => {
    // Yields to the event loop after every PER_TICK inputs, because memory of parsed bodies is freed only there, and
    // ten million bodies would fill it.
    looked += 1;
    if (looked % PER_TICK === 0) await nextTick();
    let ms = Number.POSITIVE_INFINITY;
    // Runs a slow input again, because a garbage collection can slow down a single run.
    for (let tries = 0; tries < TRIES && ms > MOST_MS; tries += 1) {
      ms = Math.min(ms, await cpuOf(() => tryOnce(value)));
    }
    if (ms > MOST_MS) throw new Error(`It took ${ms} ms.`);
  };
  await fc.assert(fc.asyncProperty(input, check), { numRuns });
}

/** Generates texts of these syntax pieces and random characters. 1 in 41 repeats a piece 100 to 4,000 times. */
function textOf(...pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 }));
  const repeated = fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 100, max: 4000 }));
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  const many = fc.tuple(text, repeated, text).map(([a, [part, count], b]) => a + part.repeat(count) + b);
  return fc.oneof({ weight: 40, arbitrary: text }, { weight: 1, arbitrary: many });
}

const latin1 = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

test(
  'F9: the path builder accepts or refuses every path without another error',
  () => {
    const buildTarget = createBuildTarget();
    const path = textOf('/', '..', '.', '%2e', '%2f', '%25', '\\', ';', ':', '%', 'é', '\ud800', '?', '#');
    const query = textOf('a=1', '&', '%', '#', ' ', '\u2028', '\ud800', '/..');
    return feed(
      fc.tuple(
        path.map((text) => `/${text}`),
        query,
      ),
      ([own, sent]) => {
        const target = buildTarget('https://api.example.com/base/', { path: own, query: sent });
        expect(target.origin).toBe('https://api.example.com');
        expect(target.path).toMatch(/^\/base\//);
      },
    );
  },
  TIMEOUT_MS,
);

test(
  'F9: the header filter accepts or refuses all headers without another error',
  () => {
    const name = textOf('connection', 'x-key', 'Host', '-', 'proxy-', '__proto__', ' ', ':', 'é');
    const value = textOf('close', ',', 'x-key', ' ', '\t', '\r\n', '\0', 'é', '€');
    const requestHeaders = createRequestHeaders({ defaults: { 'x-version': '1' }, keyHeaders: ['x-key'] });
    return feed(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
      expect(Object.keys(responseHeaders(Object.fromEntries(pairs)))).not.toContain('connection');
      const sent = requestHeaders(pairs.flat());
      expect(sent.map((text) => text.toLowerCase()).filter((_, index) => index % 2 === 0)).not.toContain(
        'x-key',
      );
    });
  },
  TIMEOUT_MS,
);

test(
  'F9: every WWW-Authenticate header can be parsed',
  () => {
    const header = textOf('Bearer ', 'Basic ', 'error="', '"', '\\', ',', '=', ' ', 'scope=a', 'a==', '\t');
    return feed(header.map(latin1), (text) =>
      challengeOf(new Response(null, { status: 401, headers: { 'www-authenticate': text } })),
    );
  },
  TIMEOUT_MS,
);

test(
  'F9: the link rewriter passes every input unchanged, in chunks of any size',
  () => {
    const document = textOf(
      '"next"',
      '"next_url":',
      '"',
      '\\',
      ':',
      ' ',
      'https://',
      '1',
      ',',
      '{',
      '"nex',
      'é',
    );
    return feed(
      fc.tuple(document, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 70_000 }))),
      ([text, fewestBytes]) => {
        const given = Buffer.from(text.toWellFormed());
        // Chunks of single bytes only in short texts, because the cost of 30,000 calls depends on the machine.
        const size = Math.max(fewestBytes, Math.ceil(given.length / MOST_CHUNKS));
        const { take, rest } = rewriteJsonMembers(['next', 'next_url'], () => undefined);
        const passed: Buffer[] = [];
        for (let at = 0; at < given.length; at += size) passed.push(take(given.subarray(at, at + size)));
        expect(Buffer.concat([...passed, rest()]).equals(given)).toBe(true);
      },
    );
  },
  TIMEOUT_MS,
);

const MCP = 'https://mcp.notes.example/mcp';
const ISSUER = 'https://auth.notes.example';
const url = fc.oneof(
  fc.constantFrom(MCP, ISSUER, `${ISSUER}/`, 'https://', ''),
  textOf('https://', '/', '@', ':'),
);
const usually = <Value>(usual: Value, strange: fc.Arbitrary<unknown> = url) =>
  mostly(NEAR, fc.constant<unknown>(usual), fc.oneof(strange, strangeValue));
const resource = fc.record({
  resource: usually(MCP),
  authorization_servers: usually([ISSUER], fc.array(url)),
});
const server = fc.record({
  issuer: usually(ISSUER),
  authorization_endpoint: usually(`${ISSUER}/authorize`),
  token_endpoint: usually(`${ISSUER}/token`),
  scopes_supported: usually(['mcp', 'offline_access']),
  code_challenge_methods_supported: usually(['S256']),
});
const written = (value: fc.Arbitrary<unknown>) =>
  mostly(
    NEAR,
    value.map((document) => JSON.stringify(document) ?? ''),
    textOf('{', '[', '"', '\\', ',', ':', 'null', '1e999', '"__proto__":'),
  );

test(
  'F9: every metadata document is used or refused',
  () =>
    feed(fc.tuple(written(resource), written(server)), ([ofResource, ofServer]) => {
      const problemOf = (text: string) => (URL.canParse(text) ? undefined : 'is no URL');
      const discover = createDiscover({
        problemOf,
        fetch: async (url, init) => {
          if (init?.method === 'POST') return new Response(null, { status: 401 });
          return new Response(String(url).includes('protected-resource') ? ofResource : ofServer);
        },
      });
      return discover(MCP, 'notes');
    }),
  TIMEOUT_MS,
);

const tokens = fc.record({
  access_token: usually('token'),
  token_type: usually('Bearer'),
  expires_in: usually(3600, textOf('1', 'e', '-', ' ')),
  id_token: usually('e30.e30.e30', textOf('.', 'e30', 'W10', '=')),
  scope: usually('a b'),
});

test(
  'F9: every token response can be normalized',
  () =>
    feed(written(tokens), async (text) => {
      const tokenRequest = { body: 'form', clientAuthentication: 'basic', headers: {} } as const;
      const tokenFetch = createTokenFetch(async () => new Response(text), {
        connector: 'notes',
        tokenRequest,
      });
      await tokenFetch(`${ISSUER}/token`, { method: 'POST', headers: {}, body: new URLSearchParams() });
    }),
  TIMEOUT_MS,
);

test(
  'F9: every tool input is accepted or refused by the schemas of all tools',
  async () => {
    const catalog = loadCatalog();
    const perTool = Math.ceil(inputs() / catalog.tools.size);
    for (const tool of catalog.tools.values()) {
      const version = catalog.selectVersion(tool);
      const look = (input: unknown) => catalog.validateInput(tool, version, input);
      // Compiles the schema by a first validation, so that the measured CPU time contains no compilation.
      await Promise.resolve({})
        .then(look)
        .catch(() => undefined);
      const long = textOf(',', 'a', ':', 'remote', ', ', '-', '2026-01-01').map((text) => ({
        [tool.name]: text,
      }));
      const input = nearValid(catalog.plainInputSchemaOf(tool, version) as Schema, NEAR);
      await feed(mostly(NEAR, input, long), look, perTool);
    }
  },
  TIMEOUT_MS,
);
