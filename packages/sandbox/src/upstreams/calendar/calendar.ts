import { perPerson } from '../../person.js';
import type { OAuthUpstream } from '../../upstream.js';
import { dialledError } from './api-error.js';
import { calendarListMethods } from './calendar-list.js';
import { addMethod } from './call.js';
import { eventMethods } from './events.js';
import { addCalendarOAuth, calendarOAuth } from './oauth.js';
import { createQuota } from './quota.js';
import { seededState } from './seed.js';

export const calendar: OAuthUpstream = {
  id: 'calendar',
  title: 'Calendar',
  oauth: calendarOAuth,
  failure: dialledError,
  mount(app, context) {
    const states = perPerson((person) => seededState(person, context.clock));
    const quota = createQuota(context.clock);
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).type('text/html; charset=UTF-8').send(NOT_FOUND),
    );
    addCalendarOAuth(app, context);
    for (const method of [...calendarListMethods, ...eventMethods])
      addMethod(app, method, { context, states, quota });
    return {
      reset() {
        states.reset();
        quota.reset();
      },
    };
  },
};

// Paths outside of the API get a page, not the API's error form.
const NOT_FOUND =
  '<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> That’s an error.</html>';
