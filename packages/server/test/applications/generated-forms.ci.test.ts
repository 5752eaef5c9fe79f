import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Known, Schema } from '../support/requests/near-valid.js';
import type { NearValidRequest } from '../support/requests/near-valid-request.js';
import type { Operation } from '../support/requests/operations.js';
import { type RegisteredRoute, watchRoutes } from '../support/requests/registered-routes.js';
import {
  defaultRuns,
  type GeneratedOptions,
  part,
  sendGenerated,
  without,
} from '../support/requests/send-generated.js';
import { rounds } from '../support/runner/rounds.js';
import { type Application, signInOnce } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

const watched = watchRoutes();
const OPERATOR = '/operator/v1';
const SESSION = `${OPERATOR}/session`;
const TIMEOUT_MS = rounds(7_200_000, 360_000);
// Requests per page. Fewer than for API operations, because each request to a page first creates a new link.
const PAGE_RUNS = part(10_000);
// Operations that check a password. SIGN_IN_RUNS keeps their number low, because password hashing is slow.
const HASHES = [SESSION, `${SESSION}/password`];
const SIGN_IN_RUNS = rounds(2_000, 60);
const runsOf = (operation: Operation): number =>
  HASHES.includes(operation.path) && operation.requestBody ? SIGN_IN_RUNS : defaultRuns(operation);

let service: Service;
let application: () => Promise<Application>;
let operator: SignedInOperator;
let password: string;
/** Password of the operator `grace`. Only generated requests use it, so failed sign-ins block no other operator. */
let gracePassword: string;
let connectionId: string;
/** Application whose settings the requests change. */
let applicationId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  application = signInOnce(service);
  ({ password } = await service.app.operators.create('ada', 'owner'));
  gracePassword = (await service.app.operators.create('grace', 'owner')).password;
  operator = await signInOperator({ url: service.url, name: 'ada', password });
  applicationId = (await service.app.applications.create('Notes')).id;
  const connection = await (await application()).call('GET', '/v1/connections/calendar');
  connectionId = connection.json<{ id: string }>().id;
});
afterAll(async () => {
  watched.stop();
  await service.stop();
});

const text: Schema = { type: 'string' };
const query = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: text }));
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });

/** Operations of the browser pages. Written by hand, because these pages have no schema in the OpenAPI document. */
const PAGES: readonly Operation[] = [
  { method: 'GET', path: '/connect/{token}', parameters: [inPath('token')], responses: {} },
  {
    method: 'POST',
    path: '/connect/{token}',
    parameters: [inPath('token')],
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', required: ['decision'], properties: { decision: text } },
        },
      },
    },
    responses: {},
  },
  {
    method: 'GET',
    path: '/sso/v1/oauth/{connectionId}/callback',
    parameters: [
      inPath('connectionId'),
      ...query('code', 'state', 'iss', 'error', 'error_description', 'error_uri'),
    ],
    responses: {},
  },
  {
    method: 'GET',
    path: '/sso/v1/oauth/{connectionId}/client-metadata',
    parameters: [inPath('connectionId')],
    responses: {},
  },
];

/**
 * True if the route also exists under `/v1` with the same code, because generated-requests.ci.test.ts then tests it.
 */
const isShared = ({ method, path }: RegisteredRoute): boolean => {
  const own = path.replace(`${OPERATOR}/applications/{applicationId}`, '/v1').replace(OPERATOR, '/v1');
  return (
    own !== path &&
    watched.of(service.app.server).some((route) => route.method === method && route.path === own)
  );
};

// Routes inside an application have no schema of its id.
const APPLICATION_ID = {
  name: 'applicationId',
  in: 'path',
  required: true,
  schema: { type: 'string' },
} as const;

const toOperation = ({ method, path, parameters, body }: RegisteredRoute): Operation => ({
  method,
  path,
  parameters:
    path.includes('{applicationId}') && !parameters.some(({ name }) => name === APPLICATION_ID.name)
      ? [APPLICATION_ID, ...parameters]
      : parameters,
  ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
  responses: {},
});

// Placeholders. `send` replaces them with a new link, sign-in token or state, because each can be used only once.
const TOKEN = 'a-link-of-its-own';
const STATE = 'a-state-of-its-own';

const known = (): Known => ({
  name: ['grace', 'Notes'],
  password: [gracePassword, password, 'wrong'],
  // The new password equals the old password, so that later requests can still sign in.
  newPassword: [password],
  applicationId: [applicationId, applicationId, 'app_missing'],
  secretId: ['secret_missing'],
  connector: ['calendar', 'calendar', 'missing'],
  metadata: ['plan:pro', 'plan'],
  exact: [true, 'true', 'maybe'],
  verifyUrl: ['https://acme.example.com/verify', 'javascript:alert(1)', null],
  since: ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z', '2026-11-21', '2020-01-01', 'yesterday'],
  until: ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z', '2026-11-21', '9999-12-31', 'tomorrow'],
  pageToken: [['a'], ['1', 'b'], ['2', 'b'], ['3', 'b'], ['\0'], {}].map((keys) =>
    Buffer.from(JSON.stringify(keys)).toString('base64url'),
  ),
  token: [TOKEN, TOKEN, 'x'.repeat(43)],
  decision: ['allow', 'deny'],
  connectionId: [connectionId, connectionId, 'conn_missing'],
  state: [STATE, STATE, 's'.repeat(43)],
  error: ['access_denied', 'server_error', '<script>'],
});

const BROWSER = `svc-browser=${'b'.repeat(43)}`;
let addresses = 0;
/** Returns a new IP address for each request, because the service limits failures per address. */
const nextAddress = (): string => {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
};

async function newLink(): Promise<string> {
  const path = '/v1/connections/calendar/accounts/ada/authorization-link';
  const { call } = await application();
  const { link } = (await call('POST', path, { body: {} })).json<{ link: string }>();
  return link.slice(link.lastIndexOf('/') + 1);
}

/** Starts an authorization in BROWSER and returns its OAuth `state` parameter. */
async function newState(): Promise<string> {
  const { headers } = await service.app.server.inject({
    method: 'POST',
    url: `/connect/${await newLink()}`,
    headers: { cookie: BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'decision=allow',
  });
  return new URL(String(headers.location)).searchParams.get('state') ?? '';
}

/** Returns the secret of a sign-in link. */
async function newSignInToken(): Promise<string> {
  const { link } = await service.app.signInLinks.create('grace');
  return link.slice(link.indexOf('#') + 1);
}

async function send({
  method,
  url,
  headers,
  payload: given,
}: NearValidRequest): Promise<LightMyRequestResponse> {
  let own = url;
  const payload = given?.includes(TOKEN) ? given.replace(TOKEN, await newSignInToken()) : given;
  if (own.includes(TOKEN)) own = own.replace(TOKEN, await newLink());
  if (own.includes(STATE)) own = own.replace(STATE, await newState());
  const signedIn = {
    cookie: `${operator.cookie}; ${BROWSER}`,
    origin: service.url,
    'svc-csrf': operator.csrfToken,
  };
  return service.app.server.inject({
    method: method as 'GET',
    url: own,
    headers: { ...signedIn, ...headers },
    ...(payload !== undefined && { payload }),
    remoteAddress: nextAddress(),
  });
}

/** Signs the operator in again after a generated sign-out, because later requests need a session. */
async function restore(
  { statusCode }: LightMyRequestResponse,
  { operation }: NearValidRequest,
): Promise<void> {
  if (operation === `DELETE ${SESSION}` && statusCode === 204) {
    operator = await signInOperator({ url: service.url, name: 'ada', password });
  }
}

/**
 * Sends the password changes as a new operator, because wrong passwords block their operator. Five of six known
 * passwords are right, because a generated password is almost never right.
 */
async function changeOwnPassword(operations: readonly Operation[], options: GeneratedOptions) {
  const { password: own } = await service.app.operators.create('lin', 'owner');
  const ada = operator;
  operator = await signInOperator({ url: service.url, name: 'lin', password: own });
  const password = [own, own, own, own, own, 'wrong'];
  const statuses = await sendGenerated(operations, {
    ...options,
    known: { ...options.known, password, newPassword: [own] },
  });
  operator = ada;
  return statuses;
}

describe('A11: generated form requests', () => {
  test(
    'never cause a 5xx at operator routes, and are partly accepted and partly refused',
    async () => {
      const routes = watched.of(service.app.server).filter(({ path }) => path.startsWith(OPERATOR));
      const operations = routes.filter((route) => !isShared(route)).map(toOperation);
      const isLasting = ({ method }: Operation) => method !== 'DELETE';
      // Keeps only the sign-out of all deletions: deleting the application or its secret would break later requests.
      const signOut = operations.filter((operation) => !isLasting(operation) && operation.path === SESSION);
      const options = { known: known(), send, onReply: restore, runs: runsOf };
      const isOwnPassword = ({ path }: Operation) => path === `${SESSION}/password`;
      const others = operations.filter((operation) => isLasting(operation) && !isOwnPassword(operation));
      const lasting = await sendGenerated(others, options);
      const ownPassword = await changeOwnPassword(operations.filter(isOwnPassword), options);
      const statuses = new Map([...lasting, ...ownPassword, ...(await sendGenerated(signOut, options))]);
      expect(lasting.size).toBeGreaterThan(8);
      expect([...statuses.keys()]).toContain(`DELETE ${SESSION}`);
      expect(without(statuses, (status) => status === 400)).toEqual([]);
      // Lists the operations that never succeed. Passkey operations need the signature of an authenticator, which
      // src/routes/operator/manage-passkeys.ci.test.ts emulates. The many filters of an export or a count are rarely
      // right at once; test/operators/search.test.ts covers exports, and test/connections/account-lists.test.ts counts.
      // No sandbox runs, so no connection to it can be created.
      const isCovered = (operation: string) =>
        ['/export', '/count', '/sandbox-connections'].some((end) => operation.endsWith(end));
      const refused = without(statuses, (status) => status < 300);
      expect(refused.filter((operation) => !isCovered(operation))).toEqual([
        `POST ${SESSION}/passkey`,
        `POST ${SESSION}/passkeys`,
      ]);
    },
    TIMEOUT_MS,
  );

  test(
    'never cause a 5xx at operator deletions',
    async () => {
      const path = `${OPERATOR}/applications/{applicationId}`;
      const missing = [path, `${path}/client-secrets/{secretId}`].map((each) => ({
        method: 'DELETE',
        path: each,
        parameters: [inPath('applicationId'), inPath('secretId')],
        responses: {},
      }));
      const isRefused = ({ statusCode }: LightMyRequestResponse) => expect([400, 404]).toContain(statusCode);
      await sendGenerated(missing, { known: { applicationId: ['app_missing'] }, send, onReply: isRefused });
    },
    TIMEOUT_MS,
  );

  test(
    'never cause a 5xx at browser pages, and are partly accepted and partly refused',
    async () => {
      const statuses = await sendGenerated(PAGES, { known: known(), send, runs: () => PAGE_RUNS });
      expect(statuses.size).toBe(PAGES.length);
      expect(without(statuses, (status) => status >= 400)).toEqual([]);
      // Lists the pages that never succeed. The callback fails, because the upstream issued none of the generated
      // codes. The client metadata fails, because a service on localhost publishes no metadata document.
      expect(without(statuses, (status) => status < 400)).toEqual([
        'GET /sso/v1/oauth/{connectionId}/callback',
        'GET /sso/v1/oauth/{connectionId}/client-metadata',
      ]);
    },
    TIMEOUT_MS,
  );
});
