import { isServiceError } from '@svc/calendar';
import { createEvent } from './actions';
import { tools } from './calendar';

export const dynamic = 'force-dynamic';

/** Returns the next events, or `undefined` when the user has not connected a calendar. */
async function listEvents() {
  try {
    const { data } = await tools.listEvents({ calendar_id: 'primary', max_results: 10 });
    return data.items;
  } catch (error) {
    if (isServiceError(error, 'account_not_authorized')) return undefined;
    throw error;
  }
}

export default async function Page() {
  const events = await listEvents();
  if (events === undefined) return <a href="/connect">Connect your calendar</a>;
  return (
    <main>
      <h1>Events</h1>
      <ul>
        {events.map(({ id, summary }) => (
          <li key={id}>{summary}</li>
        ))}
      </ul>
      <form action={createEvent}>
        <label>
          Summary <input name="summary" required />
        </label>
        <label>
          Start <input name="start" required defaultValue={new Date().toISOString()} />
        </label>
        <button type="submit">Create event</button>
      </form>
    </main>
  );
}
