import { badRequest } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { type Rules, rules } from '../../google/parameter-rules.js';
import { DAY } from '../../zoned-time.js';
import {
  type Call,
  CHANGING,
  INSERTING,
  type Method,
  NOTIFYING,
  PAGED,
  SHOWING,
  SYNCED,
  serviceMethods,
} from './call.js';
import { EVENT_TYPES } from './event-body.js';
import { spanOf } from './event-times.js';
import { envelope, listEvents, MOST, readMaxAttendees, readZone } from './list-events.js';
import { presentEvent } from './present-event.js';
import { type ScopeName, WRITING } from './scopes.js';
import { findEvent, instancesOf, isSeries } from './series.js';
import { etagOf } from './state.js';
import { changeEvent, deleteEvent, insertEvent } from './write-event.js';

const READING: readonly ScopeName[] = [
  ...WRITING,
  'calendar.readonly',
  'calendar.events.readonly',
  'calendar.events.owned.readonly',
  'calendar.events.freebusy',
  'calendar.events.public.readonly',
];

const ALL = '/calendars/:calendarId/events';
const ONE = `${ALL}/:eventId`;

const WITHIN = { timeMin: 'moment', timeMax: 'moment' } as const;
const LISTING: Rules = {
  ...SHOWING,
  ...SYNCED,
  ...WITHIN,
  eventTypes: { words: EVENT_TYPES, repeats: true },
  iCalUID: 'text',
  orderBy: { words: ['startTime', 'updated'] },
  privateExtendedProperty: 'texts',
  q: 'text',
  sharedExtendedProperty: 'texts',
  ...rules('flag', 'showDeleted showHiddenInvitations singleEvents'),
  updatedMin: 'moment',
};

export const eventMethods: readonly Method[] = [
  ...serviceMethods('Events', READING, {
    List: { path: ALL, parameters: LISTING, handle: listEvents },
    Get: { path: ONE, parameters: SHOWING, handle: getEvent },
    Instances: {
      verb: 'GET',
      path: `${ONE}/instances`,
      parameters: { ...SHOWING, ...PAGED, ...WITHIN, originalStart: 'text', showDeleted: 'flag' },
      handle: listInstances,
    },
  }),
  ...serviceMethods('Events', WRITING, {
    Insert: { path: ALL, parameters: INSERTING, handle: insertEvent },
    Patch: { path: ONE, parameters: CHANGING, handle: (call) => changeEvent(call, { merges: true }) },
    Update: { path: ONE, parameters: CHANGING, handle: (call) => changeEvent(call, { merges: false }) },
    Delete: { path: ONE, parameters: NOTIFYING, handle: deleteEvent },
  }),
];

function getEvent(call: Call): Outcome {
  const { parameters, state } = call;
  const calendar = call.calendar();
  const timeZone = readZone(parameters);
  const event = findEvent(calendar, call.part('eventId'));
  const etag = etagOf(event.updated, event.change);
  if (call.header('if-none-match') === etag) return { status: 304 };
  return {
    body: presentEvent(event, {
      calendar,
      email: state.person.email,
      timeZone,
      maxAttendees: readMaxAttendees(parameters),
    }),
    etag,
  };
}

const HORIZON = 2 * 365 * DAY;

function listInstances(call: Call): Outcome {
  const { parameters, state } = call;
  const calendar = call.calendar();
  const size = Math.min(MOST, parameters.integer('maxResults', 250));
  const [timeMin, timeMax] = [parameters.time('timeMin'), parameters.time('timeMax')];
  const showDeleted = parameters.flag('showDeleted') ?? false;
  const master = findEvent(calendar, call.part('eventId'));
  if (!isSeries(master)) throw badRequest('The event is not a recurring event.');
  const instances = instancesOf(
    master,
    calendar,
    timeMax ?? Math.max(state.now(), spanOf(master, calendar).from) + HORIZON,
  )
    .filter((instance) => timeMin === undefined || spanOf(instance, calendar).to > timeMin)
    .filter(({ status }) => showDeleted || status !== 'cancelled');
  return { body: envelope(call, { calendar, events: instances, size, isListed: () => true, syncs: false }) };
}
