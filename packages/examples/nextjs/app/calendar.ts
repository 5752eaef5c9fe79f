import { calendar, createClient } from '@svc/calendar';

/** The id of the signed-in user. Replace this by your session, for example with `cookies()`. */
export const user = { connectionName: 'calendar', identifier: 'user_42' };

export const svc = createClient(); // SVC_ENVIRONMENT_URL, SVC_CLIENT_ID, SVC_CLIENT_SECRET
export const tools = calendar(svc, user);
