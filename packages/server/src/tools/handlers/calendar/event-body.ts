import type { CalendarUpdateEventInput } from '../../../generated/handlers.js';
import type { Json, StoredEvent } from './stored-event.js';

const TRANSPARENCY = {
  free: 'transparent',
  busy: 'opaque',
  transparent: 'transparent',
  opaque: 'opaque',
} as const;

/** The inputs that an event takes over without looking at anything else. */
type FieldInput = Pick<
  CalendarUpdateEventInput,
  | 'summary'
  | 'description'
  | 'location'
  | 'recurrence'
  | 'visibility'
  | 'transparency'
  | 'guests_can_invite_others'
  | 'guests_can_modify'
  | 'guests_can_see_other_guests'
>;

/** The fields of an event that were given, as the calendar names them. */
export const eventFields = (input: FieldInput): Json =>
  present({
    summary: input.summary,
    description: input.description,
    location: input.location,
    recurrence: input.recurrence,
    visibility: input.visibility,
    transparency: input.transparency && TRANSPARENCY[input.transparency],
    guestsCanInviteOthers: input.guests_can_invite_others,
    guestsCanModify: input.guests_can_modify,
    guestsCanSeeOtherGuests: input.guests_can_see_other_guests,
  });

/** One attendee per address; whoever is stored already keeps the reply and everything else. */
export function attendeesOf(emails: readonly string[], stored?: StoredEvent): readonly Json[] {
  const known = new Map(
    stored?.attendees.map((attendee) => [attendee.email?.toLowerCase(), attendee.stored]),
  );
  const attendees = new Map<string, Json>();
  for (const email of emails) {
    const key = email.toLowerCase();
    if (!attendees.has(key)) attendees.set(key, known.get(key) ?? { email });
  }
  return [...attendees.values()];
}

/** Asks for a new meeting room. The calendar ignores a request whose id it has seen before. */
export const meetingRoom = (requestId: string): Json => ({
  createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } },
});

/** The query of a write. Without the version the calendar drops `conferenceData` in silence. */
export const writeQuery = (
  sendUpdates: boolean | undefined,
  body: Json,
): { readonly query?: Record<string, string | number> } => {
  const query = {
    ...(sendUpdates === undefined ? {} : { sendUpdates: sendUpdates ? 'all' : 'none' }),
    ...('conferenceData' in body ? { conferenceDataVersion: 1 } : {}),
  };
  return Object.keys(query).length === 0 ? {} : { query };
};

const present = (entries: Json): Json =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
