import type { CalendarUpdateEventInput } from '../../../generated/handlers.js';
import { type Json, withoutUndefined } from '../json.js';
import type { StoredEvent } from './stored-event.js';

const TRANSPARENCY = {
  free: 'transparent',
  busy: 'opaque',
  transparent: 'transparent',
  opaque: 'opaque',
} as const;

/** Inputs that become fields of the event unchanged or by a table. */
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

/** Fields of an event that the input has, under the calendar's names. */
export const eventFields = (input: FieldInput): Json =>
  withoutUndefined({
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

/** One attendee per address. A stored attendee keeps the reply and all other fields. */
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

/** Header that lets a write fail after a concurrent change. */
export const ifMatch = ({ etag }: StoredEvent): { readonly headers?: Record<string, string> } =>
  etag === undefined ? {} : { headers: { 'If-Match': etag } };

/** Query of a write. The calendar silently drops `conferenceData` without `conferenceDataVersion`. */
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
