import { notFound, userRateLimitExceeded } from '../../google/api-error.js';
import {
  type Incoming,
  type Method as MethodOf,
  pathPart,
  readJsonBody,
  verbOf,
} from '../../google/method.js';
import { findFault, type Rules } from '../../google/parameter-rules.js';
import { type Parameters, readParameters } from '../../google/parameters.js';
import type { Quota } from '../../google/quota.js';
import type { PerPerson } from '../../person.js';
import { existing } from '../../refusal.js';
import type { OAuthContext } from '../../upstream.js';
import { faulty, writerNeeded } from './api-error.js';
import type { ScopeName } from './scopes.js';
import type { CalendarRecord, CalendarState, Fields } from './state.js';

export interface Call {
  readonly state: CalendarState;
  readonly parameters: Parameters;
  readonly body: Readonly<Fields>;
  part(name: string): string;
  header(name: string): string | undefined;
  calendar(): CalendarRecord;
  writableCalendar(): CalendarRecord;
}

export interface Method extends MethodOf<Call> {
  readonly scopes: readonly ScopeName[];
  readonly units: number;
}

type OwnMethod = Pick<Method, 'path' | 'handle'> & Partial<Method>;

/** Builds the methods of one service in Google's API description. A PATCH costs 3 quota units, other calls cost 1. */
export function serviceMethods(
  service: string,
  scopes: Method['scopes'],
  methods: Readonly<Record<string, OwnMethod>>,
): readonly Method[] {
  return Object.entries(methods).map(([word, own]) => {
    const { verb = verbOf(word) } = own;
    const name = `calendar.v3.${service}.${word}`;
    return { name, verb, scopes, parameters: {}, units: verb === 'PATCH' ? 3 : 1, ...own };
  });
}

export interface Surroundings {
  readonly context: OAuthContext;
  readonly states: PerPerson<CalendarState>;
  readonly quota: Quota;
}

const MINUTE = 60_000;

export function readCall(
  { request, access, query }: Incoming,
  method: Method,
  { context, states, quota }: Surroundings,
): Call {
  quota.spend(`${access.person.id} ${access.clientId}`, method.units, {
    limit: context.dials().quotaPerMinute,
    since: context.clock.now() - MINUTE,
    refuse: userRateLimitExceeded,
  });
  const fault = findFault(query, method);
  if (fault !== undefined) throw faulty(fault);
  const state = states.of(access.person);
  const part = (name: string) => pathPart(request, name);
  const calendar = () => findCalendar(state, part('calendarId'));
  return {
    state,
    parameters: readParameters(query),
    body: readJsonBody(request),
    part,
    header: (name) => request.headers[name]?.toString(),
    calendar,
    writableCalendar: () => writable(calendar()),
  };
}

export function writable(calendar: CalendarRecord): CalendarRecord {
  if (calendar.accessRole !== 'owner' && calendar.accessRole !== 'writer') throw writerNeeded();
  return calendar;
}

export const findCalendar = ({ calendars, person }: CalendarState, id: string): CalendarRecord =>
  existing(calendars.get(id === 'primary' ? person.email : id), notFound);

/** Paging parameters. `maxResults` has no upper bound here, because larger values are reduced instead of rejected. */
export const PAGED: Rules = { maxResults: { min: 1 }, pageToken: 'text' };
export const SYNCED: Rules = { ...PAGED, syncToken: 'text' };
export const NOTIFYING: Rules = {
  sendNotifications: 'flag',
  sendUpdates: { words: ['all', 'externalOnly', 'none'] },
};

const ATTENDEES: Rules = { maxAttendees: { min: 1 } };
const EMAIL: Rules = { alwaysIncludeEmail: 'flag' };
export const SHOWING: Rules = { ...ATTENDEES, ...EMAIL, timeZone: 'text' };

const VERSIONS: Rules = { conferenceDataVersion: { min: 0, max: 1 }, eventLabelVersion: { min: 0, max: 1 } };
export const IMPORTING: Rules = { ...VERSIONS, supportsAttachments: 'flag' };
export const INSERTING: Rules = { ...IMPORTING, ...NOTIFYING, ...ATTENDEES };
export const CHANGING: Rules = { ...INSERTING, ...EMAIL };
