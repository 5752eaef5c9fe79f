import { DatabaseSync } from 'node:sqlite';
import { CONNECT, type State } from './connect-state.ts';
import { begin, connect, enterKey, makeLink, openLink } from './connect-steps.ts';

const CONNECT_KEY = { en: 'Connect Conversation intelligence', de: 'Conversation intelligence verbinden' };
const UNKNOWN = { en: 'This link does not exist', de: 'Diesen Link gibt es nicht' };
const USED = { en: 'This link was already used', de: 'Dieser Link wurde bereits verwendet' };
const KEYED = { connector: 'convintel' };

const LINKS: readonly State[] = [
  { state: 'consent request', open: openLink, heading: CONNECT, next: 'decide' },
  {
    state: 'consent request in the browser inside an app',
    open: async ({ page, ...visitor }) => {
      await page.setExtraHTTPHeaders({ 'user-agent': 'Mozilla/5.0 (Linux; Android 16; wv) Instagram' });
      return openLink({ page, ...visitor });
    },
    heading: CONNECT,
    next: 'decide',
    notice: { en: /^Open this page in your browser/, de: /^Öffnen Sie diese Seite in Ihrem Browser/ },
  },
  {
    state: 'cancelled consent request',
    open: async (visitor) => {
      const made = await openLink(visitor);
      await visitor.page.locator('button').last().click();
      return made;
    },
    heading: { en: 'No account was connected', de: 'Es wurde kein Konto verbunden' },
    next: 'close',
  },
  {
    state: 'unknown link',
    open: async ({ page }) => void (await page.goto('/connect/unknown')),
    heading: UNKNOWN,
    next: 'startAgain',
  },
  {
    state: 'expired link',
    open: async (visitor) => {
      const made = await makeLink(visitor);
      await visitor.service.advance(31);
      await visitor.page.goto(made.link);
      return made;
    },
    heading: { en: 'This link has expired', de: 'Dieser Link ist abgelaufen' },
    next: 'startAgain',
  },
  {
    state: 'link that was used in another browser',
    open: async (visitor) => {
      const begun = await begin({ ...visitor, page: await visitor.openOther() });
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: USED,
    next: 'startAgain',
  },
  {
    state: 'link of an account that was disconnected',
    open: async (visitor) => {
      const begun = await connect(visitor);
      await visitor.service.call('POST', `${begun.account}/revoke`);
      await visitor.page.goto(begun.link);
      return undefined;
    },
    heading: UNKNOWN,
    next: 'startAgain',
  },
  {
    state: 'link of a connection that was deleted',
    open: async (visitor) => {
      const made = await makeLink(visitor);
      await visitor.service.call('DELETE', made.connection);
      await visitor.page.goto(made.link);
      return undefined;
    },
    heading: UNKNOWN,
    next: 'startAgain',
  },
  {
    state: 'account whose access ended later',
    open: async (visitor) => {
      const { service, page } = visitor;
      const begun = await connect(visitor);
      await service.sandbox.revokeGrants('calendar');
      await service.sandbox.expireTokens('calendar');
      const { id } = await service.call<{ id: string }>('GET', begun.account);
      const call = { connectedAccountId: id, toolInput: {} };
      const tool = `/applications/${begun.applicationId}/tools/calendar_list_calendars/execute`;
      await service.call('POST', tool, call).catch(() => undefined);
      await page.goto(begun.link);
      return begun;
    },
    heading: { en: 'The access has ended', de: 'Der Zugriff ist beendet' },
    next: 'startAgain',
  },
];

const KEYS: readonly State[] = [
  {
    state: 'form for a key',
    open: (visitor) => openLink(visitor, KEYED),
    heading: CONNECT_KEY,
    next: 'decide',
  },
  {
    state: 'form with an empty key',
    open: async (visitor) => {
      const made = await openLink(visitor, KEYED);
      await enterKey(visitor.page, ' ');
      return made;
    },
    heading: CONNECT_KEY,
    next: 'decide',
    notice: { en: /^Enter the key\./, de: /^Geben Sie den Schlüssel ein\./ },
  },
  {
    state: 'form with a key that the upstream refused',
    open: async (visitor) => {
      const made = await openLink(visitor, KEYED);
      await enterKey(visitor.page, 'wrong');
      return made;
    },
    heading: CONNECT_KEY,
    next: 'decide',
    notice: { en: /does not accept the key/, de: /akzeptiert den Schlüssel nicht/ },
  },
  {
    state: 'form after too many refused keys',
    open: async (visitor) => {
      const made = await openLink(visitor, KEYED);
      for (let key = 0; key < 6; key += 1) await enterKey(visitor.page, `wrong-${key}`);
      return made;
    },
    heading: { en: 'Too many wrong keys', de: 'Zu viele falsche Schlüssel' },
    next: 'tryAgain',
  },
  {
    state: 'form whose key was stored',
    open: async (visitor) => {
      const made = await openLink(visitor, KEYED);
      await enterKey(visitor.page, 'sandbox-key');
      await visitor.page.goto(made.link);
      return made;
    },
    heading: { en: 'Conversation intelligence is connected', de: 'Conversation intelligence ist verbunden' },
    next: 'close',
    isConnected: true,
  },
];

const AWAY: readonly State[] = [
  {
    state: 'service whose database is locked',
    open: async (visitor) => {
      const made = await makeLink(visitor);
      const file = new DatabaseSync(visitor.service.database);
      visitor.page.context().once('close', () => file.close());
      await visitor.page.goto(made.link);
      file.exec('BEGIN EXCLUSIVE');
      await visitor.page.locator('button').first().click();
      return undefined;
    },
    heading: {
      en: 'This site is not available at the moment',
      de: 'Diese Website ist gerade nicht erreichbar',
    },
    next: 'tryAgain',
  },
];

export const LINK_STATES: readonly State[] = [...LINKS, ...KEYS, ...AWAY];
