import { dialledError, errorBody } from '../../google/api-error.js';
import { addBatch } from '../../google/batch.js';
import { addMethods, addNotEmulated, addNotFoundPage } from '../../google/method.js';
import { addGoogleOAuth, googleOAuth } from '../../google/oauth.js';
import { createQuota } from '../../google/quota.js';
import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { calendarListMethods, listEntryMethods } from './calendar-list.js';
import { calendarMethods } from './calendars.js';
import { type Method, readCall } from './call.js';
import { eventMethods } from './events.js';
import { factMethods } from './facts.js';
import { newEventMethods } from './new-events.js';
import { ruleMethods } from './rules.js';
import { SCOPES } from './scopes.js';
import { seededState } from './seed.js';

/**
 * API methods that return 501. Push notifications would need a URL of the caller, and only administrators transfer
 * ownership.
 */
const NOT_EMULATED = [
  'POST /calendars/:calendarId/acl/watch',
  'POST /calendars/:calendarId/events/watch',
  'POST /calendars/:calendarId/transferOwnership',
  'POST /users/me/calendarList/watch',
  'POST /users/me/settings/watch',
  'POST /channels/stop',
];

const METHODS: readonly Method[] = [
  ...calendarListMethods,
  ...listEntryMethods,
  ...calendarMethods,
  ...ruleMethods,
  ...factMethods,
  ...eventMethods,
  ...newEventMethods,
];

export const calendar: OAuthUpstream = {
  id: 'calendar',
  title: 'Calendar',
  oauth: googleOAuth(SCOPES),
  failure: (status) => errorBody(dialledError(status)),
  mount(app, context) {
    const states = perPerson((person) => seededState(person, context.clock));
    const quota = createQuota(context.clock);
    addNotFoundPage(app);
    addGoogleOAuth(app, context);
    addNotEmulated(app, { prefix: '/calendar/v3', methods: NOT_EMULATED });
    const { pathname: base } = new URL(context.baseUrl);
    addBatch(app, { path: '/batch/calendar/v3', methods: '/calendar/v3', base, errorBody });
    addMethods(app, METHODS, {
      service: 'calendar-json.googleapis.com',
      prefix: '/calendar/v3',
      authorizationServer: context.authorizationServer,
      errorBody,
      read: (incoming, one: Method) => readCall(incoming, one, { context, states, quota }),
    });
    return {
      reset() {
        states.reset();
        quota.reset();
      },
    };
  },
};
