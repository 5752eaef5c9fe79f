import { calendar, createClient, isServiceError } from '@svc/calendar';
import express from 'express';

const PORT = Number(process.env['PORT'] ?? 3000);

const svc = createClient(); // SVC_ENVIRONMENT_URL, SVC_CLIENT_ID, SVC_CLIENT_SECRET

/** Replace this constant by the id of the user in your session. */
const user = { connectionName: 'calendar', identifier: 'user_42' };
const tools = calendar(svc, user);

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const app = express();
app.use(express.urlencoded({ extended: false }));

app.get('/', async (_request, response) => {
  const { data } = await tools.listEvents({ calendar_id: 'primary', max_results: 10 });
  const items = data.items.map(({ summary }) => `<li>${escapeHtml(summary ?? 'No title')}</li>`);
  response.send(`<h1>Events</h1>
<ul>${items.join('')}</ul>
<form method="post" action="/events">
  <label>Summary <input name="summary" required></label>
  <label>Start <input name="start" required value="${new Date().toISOString()}"></label>
  <button>Create event</button>
</form>`);
});

app.post('/events', async ({ body }, response) => {
  await tools.createEvent({ summary: String(body.summary), start_datetime: String(body.start) });
  response.redirect(303, '/');
});

/** Sends a user without a connected calendar to the authorization link, and reports other errors. */
const handleError: express.ErrorRequestHandler = async (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (isServiceError(error, 'account_not_authorized')) {
    const { link } = await svc.getAuthorizationLink(user);
    return response.redirect(303, link);
  }
  if (!isServiceError(error)) return next(error);
  response.status(502).send(`The calendar rejected the event: ${escapeHtml(error.message)}`);
};
app.use(handleError);

app.listen(PORT, () => console.log(`Listening on http://localhost:${PORT}`));
