import type { State } from './connect-state.ts';
import { answer, begin, type Link, returnWith, type Visitor } from './connect-steps.ts';

const NOT_VALID = { en: 'This consent is no longer valid', de: 'Diese Zustimmung gilt nicht mehr' };
const NO_RESPONSE = { en: 'The service does not respond', de: 'Der Dienst antwortet nicht' };
const NOT_SET_UP = { en: 'This connection is not set up', de: 'Diese Verbindung ist nicht eingerichtet' };
const REFUSED = { en: 'The service refused the connection', de: 'Der Dienst hat die Verbindung abgelehnt' };

/** Returns from the upstream with parameters, after the consent has begun. */
const returning =
  (parameters: Readonly<Record<string, string>>, connector = 'calendar') =>
  async (visitor: Visitor): Promise<Link> => {
    const begun = await begin(visitor, { connector });
    await returnWith(visitor, begun, parameters);
    return begun;
  };

export const UPSTREAM_STATES: readonly State[] = [
  {
    state: 'refusal by an administrator',
    open: returning({ error: 'admin_policy_enforced' }),
    heading: {
      en: 'Your organization does not allow this connection',
      de: 'Ihre Organisation erlaubt diese Verbindung nicht',
    },
    next: 'startAgain',
  },
  {
    state: 'consent that needs an administrator',
    open: returning({ error: 'access_denied', error_description: 'AADSTS65001: Consent.' }, 'filesite'),
    heading: {
      en: 'Your administrator must agree first',
      de: 'Zuerst muss Ihre IT-Administration zustimmen',
    },
    next: 'startAgain',
  },
  {
    state: 'return of the administrator',
    open: async (visitor) => {
      const { callback } = await begin(visitor, { connector: 'filesite' });
      callback.searchParams.delete('state');
      callback.searchParams.set('admin_consent', 'True');
      await visitor.page.goto(callback.href);
      return undefined;
    },
    heading: { en: 'You decided for your organization', de: 'Sie haben für Ihre Organisation entschieden' },
    next: 'close',
  },
  {
    state: 'unknown permission',
    open: returning({ error: 'invalid_scope' }),
    heading: {
      en: 'A requested permission is not available',
      de: 'Eine angeforderte Berechtigung ist nicht verfügbar',
    },
    next: 'contactSupport',
  },
  {
    state: 'client that the upstream does not accept',
    open: returning({ error: 'unauthorized_client' }),
    heading: {
      en: 'The service does not accept this application',
      de: 'Der Dienst lässt diese Anwendung nicht zu',
    },
    next: 'contactSupport',
  },
  {
    state: 'temporary failure of the upstream',
    open: returning({ error: 'server_error' }),
    heading: { en: 'The service has a problem', de: 'Beim Dienst gibt es eine Störung' },
    next: 'startAgain',
  },
  {
    state: 'other refusal of the upstream',
    open: returning({ error: 'invalid_request' }),
    heading: REFUSED,
    next: 'startAgain',
  },
  {
    state: 'return without a code',
    open: returning({}),
    heading: REFUSED,
    next: 'startAgain',
  },
  {
    state: 'return from another issuer',
    open: returning({ code: 'code', iss: 'https://evil.example.com' }),
    heading: REFUSED,
    next: 'startAgain',
  },
  {
    state: 'return with an unknown state',
    open: returning({ code: 'code', state: 'unknown' }),
    heading: NOT_VALID,
    next: 'startAgain',
  },
  {
    state: 'upstream that fails while the code is exchanged',
    open: async (visitor) => {
      const begun = await begin(visitor);
      const failNext = { count: 9, status: 503, match: { path: '/token' } };
      await visitor.service.sandbox.dials('calendar', { failNext });
      await answer(visitor.page, 'Allow');
      return begun;
    },
    heading: NO_RESPONSE,
    next: 'startAgain',
  },
  {
    state: 'client secret that the upstream refuses',
    open: async (visitor) => {
      const begun = await begin(visitor);
      await visitor.service.call('PATCH', begun.connection, { clientSecret: 'wrong' });
      await answer(visitor.page, 'Allow');
      return begun;
    },
    heading: NOT_SET_UP,
    next: 'contactSupport',
  },
  {
    state: 'connection that was changed during the consent',
    open: async (visitor) => {
      const begun = await begin(visitor);
      await visitor.service.call('PATCH', begun.connection, {
        clientId: 'other',
        clientSecret: 'other',
      });
      await answer(visitor.page, 'Allow');
      return begun;
    },
    heading: { en: 'The connection has changed', de: 'Die Verbindung hat sich geändert' },
    next: 'startAgain',
  },
];
