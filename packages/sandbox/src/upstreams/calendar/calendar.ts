import type { Upstream } from '../../upstream.js';
import { addCalendarOAuth, calendarOAuth } from './oauth.js';

export const calendar: Upstream = {
  id: 'calendar',
  title: 'Calendar',
  oauth: calendarOAuth,
  failure: (status) => ({ error: { code: status } }),
  mount(app, context) {
    addCalendarOAuth(app, context);
    return { reset() {} };
  },
};
