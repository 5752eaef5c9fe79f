import { dialledError, errorBody } from '../../google/api-error.js';
import { addMethod } from '../../google/method.js';
import { addNotFoundPage } from '../../google/not-found-page.js';
import { addGoogleOAuth, googleOAuth } from '../../google/oauth.js';
import { createQuota } from '../../google/quota.js';
import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { calendarListMethods } from './calendar-list.js';
import { readCall } from './call.js';
import { eventMethods } from './events.js';
import { SCOPES } from './scopes.js';
import { seededState } from './seed.js';

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
    for (const method of [...calendarListMethods, ...eventMethods])
      addMethod(app, method, {
        service: 'calendar-json.googleapis.com',
        prefix: '/calendar/v3',
        authorizationServer: context.authorizationServer,
        errorBody,
        read: (incoming, one: typeof method) => readCall(incoming, one, { context, states, quota }),
      });
    return {
      reset() {
        states.reset();
        quota.reset();
      },
    };
  },
};
