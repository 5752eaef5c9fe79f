import { CONNECT, type State } from './connect-state.ts';
import {
  answer,
  begin,
  connect,
  connectUnverified,
  IDENTIFIER,
  makeAgain,
  makeLink,
  openLink,
  proceed,
  returnWith,
  verify,
} from './connect-steps.ts';

const ANOTHER_BROWSER = {
  en: 'You started in another browser',
  de: 'Sie haben in einem anderen Browser begonnen',
};
const CONNECTED = { en: 'Calendar is connected', de: 'Calendar ist verbunden' };
const NOT_CONSENTED = { en: 'You did not consent', de: 'Sie haben nicht zugestimmt' };
const TOO_LONG = { en: 'Your consent took too long', de: 'Ihre Zustimmung hat zu lange gedauert' };

const CONSENTS: readonly State[] = [
  { state: 'connected account', open: connect, heading: CONNECTED, next: 'close', isConnected: true },
  {
    state: 'denied consent',
    open: async (visitor) => {
      const begun = await begin(visitor);
      await answer(visitor.page, 'Deny');
      return begun;
    },
    heading: NOT_CONSENTED,
    next: 'close',
  },
  {
    state: 'consent that was cancelled after going back',
    open: async (visitor) => {
      const begun = await begin(visitor);
      await visitor.page.goto(begun.link);
      await visitor.page.locator('button').last().click();
      return begun;
    },
    heading: NOT_CONSENTED,
    next: 'close',
  },
  {
    state: 'callback that was opened twice',
    open: async (visitor) => {
      const begun = await connect(visitor);
      await returnWith(visitor, begun, { code: 'used' });
      return begun;
    },
    heading: CONNECTED,
    next: 'close',
    isConnected: true,
  },
  {
    state: 'consent that took longer than ten minutes',
    open: async (visitor) => {
      const begun = await begin(visitor);
      await visitor.service.advance(11);
      await returnWith(visitor, begun, { code: 'late' });
      return begun;
    },
    heading: TOO_LONG,
    next: 'startAgain',
  },
  {
    state: 'link whose consent was left open for ten minutes',
    open: async (visitor) => {
      const begun = await begin(visitor);
      await visitor.service.advance(11);
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: TOO_LONG,
    next: 'startAgain',
  },
  {
    state: 'consent that began in another browser',
    open: async (visitor) => {
      const begun = await begin({ ...visitor, page: await visitor.openOther() });
      await returnWith(visitor, begun, { code: 'code' });
      return begun;
    },
    heading: ANOTHER_BROWSER,
    next: 'startAgain',
  },
  {
    state: 'consent in a browser without cookies',
    open: async (visitor) => {
      const made = await openLink(visitor);
      await visitor.page.context().clearCookies();
      await visitor.page.locator('button').first().click();
      return made;
    },
    heading: { en: 'Your browser sent no cookie', de: 'Ihr Browser hat kein Cookie gesendet' },
    next: 'tryAgain',
  },
  {
    state: 'consent that another site sent',
    open: async (visitor) => {
      const made = await makeLink(visitor);
      const form = `<form method="post" action="${made.link}"><button>Win</button></form>`;
      await visitor.page.route('https://evil.example.com/', (route) =>
        route.fulfill({ contentType: 'text/html', body: form }),
      );
      await visitor.page.goto('https://evil.example.com/');
      await visitor.page.locator('button').click();
      return made;
    },
    heading: {
      en: 'This request came from another site',
      de: 'Diese Anfrage kam von einer anderen Website',
    },
    next: 'startAgain',
  },
  {
    state: 'consent with another account than before',
    open: async (visitor) => {
      const begun = await connect(visitor);
      const again = await makeAgain(visitor, begun);
      await visitor.page.goto(again.link);
      await proceed(visitor.page);
      await answer(visitor.page, 'Allow', 'grace');
      return again;
    },
    heading: {
      en: 'You signed in with another account',
      de: 'Sie haben sich mit einem anderen Konto angemeldet',
    },
    next: 'startAgain',
    isConnected: true,
  },
];

const VERIFICATIONS: readonly State[] = [
  {
    state: 'consent that the application has to confirm',
    open: async (visitor) => {
      const begun = await connectUnverified(visitor);
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: { en: 'One step is missing', de: 'Ein Schritt fehlt noch' },
    next: 'finishThere',
  },
  {
    state: 'consent that the application confirmed',
    open: async (visitor) => {
      const begun = await connectUnverified(visitor);
      await verify(visitor, begun, { authRequestId: begun.authRequestId, identifier: IDENTIFIER });
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: CONNECTED,
    next: 'close',
    isConnected: true,
  },
  {
    state: 'consent that the application did not confirm in time',
    open: async (visitor) => {
      const begun = await connectUnverified(visitor);
      await visitor.service.advance(11);
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: { en: 'Your identity was not confirmed', de: 'Ihre Identität wurde nicht bestätigt' },
    next: 'startAgain',
  },
  {
    state: 'consent of another user of the application',
    open: async (visitor) => {
      const begun = await connectUnverified(visitor);
      await verify(visitor, begun, { authRequestId: begun.authRequestId, identifier: 'mallory' });
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: { en: 'This link was for another user', de: 'Dieser Link war für jemand anderen' },
    next: 'startAgain',
  },
];

const TABS: readonly State[] = [
  {
    state: 'link in a second tab, during the consent',
    open: async (visitor) => {
      const first = await visitor.page.context().newPage();
      const begun = await begin({ ...visitor, page: first });
      await visitor.page.goto(begun.link);
      return begun;
    },
    heading: CONNECT,
    next: 'decide',
  },
  {
    state: 'first tab, after the second tab connected the account',
    open: async (visitor) => {
      const begun = await begin(visitor);
      const second = await visitor.page.context().newPage();
      await second.goto(begun.link);
      await proceed(second);
      await answer(second, 'Allow');
      await returnWith(visitor, begun, { error: 'access_denied' });
      return begun;
    },
    heading: CONNECTED,
    next: 'close',
    isConnected: true,
  },
  {
    state: 'first tab, after the second tab cancelled',
    open: async (visitor) => {
      const begun = await begin(visitor);
      const second = await visitor.page.context().newPage();
      await second.goto(begun.link);
      await second.locator('button').last().click();
      await second.locator('h1').waitFor();
      await answer(visitor.page, 'Allow');
      return begun;
    },
    heading: NOT_CONSENTED,
    next: 'close',
  },
  {
    state: 'second tab, while the first tab exchanges the code',
    open: async (visitor) => {
      const first = await visitor.page.context().newPage();
      const begun = await begin({ ...visitor, page: first });
      await visitor.service.sandbox.dials('calendar', { latencyMs: 9000 });
      const callback = new URL(begun.callback);
      callback.searchParams.set('code', 'first');
      const asked = first.waitForRequest((request) => request.url() === callback.href);
      void first.goto(callback.href).catch(() => undefined);
      await asked;
      await returnWith(visitor, begun, { code: 'second' });
      return begun;
    },
    heading: { en: 'The connection is not finished', de: 'Die Verbindung ist noch nicht abgeschlossen' },
    next: 'checkAgain',
    isBrief: true,
  },
];

export const CONSENT_STATES: readonly State[] = [...CONSENTS, ...VERIFICATIONS, ...TABS];
