import { approve, createBrowser } from '@svc/sandbox';
import type { GatedService } from '../processes/gated-service.js';
import { type CallOptions, fetchReply, type Reply } from '../service/application.js';
import { API_KEY } from '../upstreams/parcels.js';
import type { Secrets } from './secrets.js';
import { tokenFlows } from './token-flows.js';
import { watchFlows } from './watch-flows.js';
import { webhookFlows } from './webhook-flows.js';

export interface World {
  readonly service: GatedService;
  readonly secrets: Secrets;
  /** Text of every response of the service, including errors and pages. */
  readonly responses: string[];
  /** User identifier of every account. */
  readonly identifier: string;
  /** URL of the fake upstream for the connector `parcels`. */
  readonly parcelsUrl: string;
  /** Addresses of the webhooks of that upstream, by their ids. */
  readonly hooks: ReadonlyMap<string, string>;
  /** URL on which no server listens, so that connecting fails. */
  readonly nowhere: string;
}

export interface Flow {
  readonly title: string;
  readonly run: () => Promise<{ readonly status: number }>;
  /** Status of the last response, which proves that the flow ran. */
  readonly ends: number;
}

interface Visit {
  readonly status: number;
  /** URL of the last page, or the URL before which the browser stopped. */
  readonly url: string;
}

interface VisitOptions {
  readonly deny?: boolean;
  readonly stopAt?: string;
  /** Texts that the upstream adds to the browser's redirect. */
  readonly words?: Words;
}

type Words = Readonly<Record<'error' | 'error_description' | 'error_uri', string>>;

/** Builds an error of an upstream with a canary secret in each of its text fields. */
export const wordsOf = (step: string, canary: Secrets['canary']): Words => ({
  error: canary(`the error of ${step}`),
  error_description: canary(`the description of ${step}`),
  error_uri: `https://errors.example.com/${canary(`the page about ${step}`)}`,
});

/** Actions of an application and its users. All responses are recorded. */
export function actionsIn({ service, secrets, responses, identifier }: World) {
  const accountPath = (connection: string) => `/v1/connections/${connection}/accounts/${identifier}`;

  function note(reply: Reply): Reply {
    responses.push(JSON.stringify([...reply.headers]), reply.text);
    return reply;
  }
  const call = async (method: string, url: string, options: CallOptions = {}) =>
    note(await service.application.call(method, url, options));
  const raw = async (url: string, init: RequestInit = {}) => note(await fetchReply(service.url + url, init));

  async function execute(connection: string, toolName: string, toolInput: object): Promise<Reply> {
    const account = await call('GET', accountPath(connection));
    const { id } = account.json<{ id: string }>();
    return call('POST', `/v1/tools/${toolName}/execute`, { body: { connectedAccountId: id, toolInput } });
  }

  /**
   * Opens an authorization link as a user and decides on the upstream's consent page. The link response is not
   * recorded, because the user may see the link.
   */
  async function visit(connection: string, given: VisitOptions = {}): Promise<Visit> {
    const { deny = false, stopAt = '', words } = given;
    const linkPath = `${accountPath(connection)}/authorization-link`;
    const { link } = (await service.application.call('POST', linkPath)).json<{ link: string }>();
    secrets.add(`a link to ${connection}`, link.slice(link.lastIndexOf('/') + 1));
    const browser = createBrowser();
    responses.push((await browser.open(link)).body);
    const cookie = browser.cookies.header(new URL(link), { method: 'GET', sameSite: true });
    secrets.add(`a cookie for ${connection}`, cookie.replace('svc-browser=', ''));
    const isUpstream = (address: string) => address.startsWith(service.sandbox.url);
    const { url: consent } = await approve(link, { browser, stopAt: isUpstream });
    secrets.add(`a state for ${connection}`, new URL(consent).searchParams.get('state') ?? '');
    const end = words === undefined ? stopAt : service.connection(connection).redirectUri;
    const isEnd = (address: string) => end !== '' && address.startsWith(end);
    const { status, body, url } = await approve(consent, { user: 'ada', browser, deny, stopAt: isEnd });
    responses.push(body);
    if (words === undefined) return { status, url };
    const callback = new URL(url);
    for (const [name, value] of Object.entries(words)) callback.searchParams.set(name, value);
    const page = await browser.open(callback.href);
    responses.push(page.body);
    return page;
  }

  return {
    call,
    raw,
    visit,
    execute,
    listCalendars: () => execute('calendar', 'calendar_list_calendars', {}),
    listUsers: () => execute('workspace', 'workspace_users_list', {}),
    connect: (body: object) => call('POST', '/v1/connections', { body }),
    putKey: (connection: string, apiKey: string) =>
      call('PUT', accountPath(connection), { body: { apiKey } }),
    /** Connects again, and makes the first token refresh fail with this response. */
    async breakRefresh(status: number, body: object): Promise<Reply> {
      await visit('calendar');
      const match = { method: 'POST', path: '/token' };
      await service.sandbox.dials('calendar', { failNext: { count: 1, status, body, match } });
      await service.sandbox.expireTokens('calendar');
      return execute('calendar', 'calendar_list_calendars', {});
    },
  };
}

export type Actions = ReturnType<typeof actionsIn>;

const approvals = (
  { service, secrets: { canary } }: World,
  { visit, listCalendars, listUsers }: Actions,
): readonly Flow[] => [
  { title: 'a user approves', ends: 200, run: () => visit('calendar') },
  { title: 'a user approves another connection', ends: 200, run: () => visit('workspace') },
  { title: 'a user refuses', ends: 403, run: () => visit('workspace', { deny: true }) },
  {
    title: 'an upstream refuses in words of its own',
    ends: 403,
    run: () => visit('workspace', { deny: true, words: wordsOf('an approval', canary) }),
  },
  { title: 'a tool runs', ends: 200, run: listCalendars },
  {
    title: 'a tool runs after its token has ended',
    ends: 200,
    run: async () => {
      await service.sandbox.expireTokens('workspace');
      return listUsers();
    },
  },
];

const calls = ({ secrets: { canary }, ...world }: World, actions: Actions): readonly Flow[] => [
  {
    title: 'a tool gets a wrong input',
    ends: 400,
    run: () =>
      actions.execute('calendar', 'calendar_create_event', {
        summary: { text: canary('an input of the wrong type') },
        start_datetime: canary('an input of the wrong form'),
        timezone: canary('a time zone that is none'),
      }),
  },
  {
    title: 'the upstream refuses a proxied request',
    ends: 404,
    run: () =>
      actions.call(
        'POST',
        `/v1/proxy/calendar/${world.identifier}/calendar/v3/calendars/none/events?quotaUser=${canary('a query')}`,
        {
          body: { summary: canary('a proxied body') },
          headers: { 'x-note': canary('a proxied header') },
        },
      ),
  },
  {
    title: 'the upstream cannot be reached',
    ends: 502,
    run: async () => {
      await actions.connect({ connectionName: 'nowhere', connector: 'parcels', baseUrl: world.nowhere });
      await actions.putKey('nowhere', canary('a key for nowhere'));
      return actions.call(
        'GET',
        `/v1/proxy/nowhere/${world.identifier}/v1/parcels?q=${canary('a query for nowhere')}`,
      );
    },
  },
  {
    title: 'a key is taken',
    ends: 200,
    run: async () => {
      await actions.connect({ connectionName: 'parcels', connector: 'parcels', baseUrl: world.parcelsUrl });
      await actions.putKey('parcels', API_KEY);
      return actions.execute('parcels', 'parcels_list', {});
    },
  },
  {
    title: 'a key is refused by the upstream',
    ends: 424,
    run: async () => {
      await actions.putKey('parcels', canary('a key that is not good'));
      return actions.execute('parcels', 'parcels_list', {});
    },
  },
];

const refusals = ({ service, secrets: { canary } }: World, actions: Actions): readonly Flow[] => [
  {
    title: 'a key is given where none is wanted',
    ends: 400,
    run: () => actions.putKey('calendar', canary('a key for an OAuth connector')),
  },
  {
    title: 'a key has two lines',
    ends: 400,
    run: () => actions.putKey('parcels', `${canary('a key of two lines')}\nline`),
  },
  {
    title: 'a client secret has the wrong type',
    ends: 400,
    run: () =>
      actions.connect({
        connectionName: 'x',
        connector: 'calendar',
        clientSecret: [canary('a listed secret')],
      }),
  },
  {
    title: 'a body is not JSON',
    ends: 400,
    run: () => {
      const { accessToken } = service.application;
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
      const body = `{ "clientSecret": "${canary('a secret in broken JSON')}", }`;
      return actions.raw('/v1/connections', { method: 'POST', headers, body });
    },
  },
  {
    title: 'a token stands in the query',
    ends: 400,
    run: () => actions.call('GET', `/v1/tools?access_token=${canary('a token in a query')}`),
  },
  {
    title: 'a token is invented',
    ends: 401,
    run: () =>
      actions.raw('/v1/tools', { headers: { authorization: `Bearer ${canary('an invented token')}` } }),
  },
  {
    title: 'an application signs in with a wrong secret',
    ends: 401,
    run: () => {
      const headers = { authorization: `Basic ${btoa(`app_test:${canary('a wrong secret')}`)}` };
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      return actions.raw('/oauth/token', { method: 'POST', headers, body });
    },
  },
  {
    title: 'a callback is invented',
    ends: 403,
    run: () => {
      const query = new URLSearchParams();
      for (const name of ['code', 'state', 'error', 'error_description', 'iss']) {
        query.set(name, canary(`an invented ${name}`));
      }
      const { pathname } = new URL(service.connection('calendar').redirectUri);
      return actions.raw(`${pathname}?${query}`, { headers: { cookie: `svc-browser=${'c'.repeat(43)}` } });
    },
  },
];

const refreshes = ({ service, secrets: { canary } }: World, actions: Actions): readonly Flow[] => [
  {
    title: 'a refresh gets an unusable response',
    ends: 503,
    run: () => actions.breakRefresh(200, { access_token: canary('an unusable token'), token_type: 'mac' }),
  },
  {
    title: 'a refresh ends with an error that nobody knows',
    ends: 503,
    run: () => actions.breakRefresh(400, wordsOf('a refresh', canary)),
  },
  {
    title: 'a refresh ends with a fault of the upstream',
    ends: 503,
    run: () => actions.breakRefresh(500, { message: canary('a fault of the upstream') }),
  },
  {
    title: 'a user takes the access back',
    ends: 409,
    run: async () => {
      await service.sandbox.revokeGrants('workspace');
      return actions.listUsers();
    },
  },
  {
    title: 'the upstream does not know the client any more',
    ends: 409,
    run: async () => {
      await actions.visit('workspace');
      const body = { clientSecret: canary('a client secret that is not good') };
      await actions.call('PATCH', '/v1/connections/workspace', { body });
      await service.sandbox.expireTokens('workspace');
      return actions.listUsers();
    },
  },
];

/** Lists all requests in which a secret passes through the service, in the order in which they must run. */
export const flowsOf = (world: World, actions: Actions): readonly Flow[] =>
  [approvals, tokenFlows, calls, webhookFlows, watchFlows, refusals, refreshes].flatMap((make) =>
    make(world, actions),
  );
