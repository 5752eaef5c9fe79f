import type { CalendarUpdateEventInput } from '../../../generated/handlers.js';
import { type Json, withoutUndefined } from '../json.js';
import type { StoredEvent } from './stored-event.js';

const TRANSPARENCY = {
  free: 'transparent',
  busy: 'opaque',
  transparent: 'transparent',
  opaque: 'opaque',
} as const;

/** Tool inputs that become fields of the calendar event, either unchanged or by a lookup table. */
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

/** Converts tool inputs to the event fields of the calendar API. Inputs that are absent are omitted. */
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

/**
 * Creates an attendee of the event for each email address. An attendee whom the stored event already has keeps the
 * reply and all other fields.
 */
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

/**
 * Returns the field of an event that makes the calendar create a video meeting. A request with an already used
 * `requestId` creates no second meeting.
 */
export const meetingRoom = (requestId: string): Json => ({
  createRequest: { requestId, conferenceSolutionKey: { type: 'hangoutsMeet' } },
});

/** Adds an If-Match header to an update of the event, so that the update fails with 412 after a concurrent change. */
export const ifMatch = ({ etag }: StoredEvent): { readonly headers?: Record<string, string> } =>
  etag === undefined ? {} : { headers: { 'If-Match': etag } };

/**
 * Query parameters of a write of an event. `conferenceDataVersion` is necessary because the calendar silently ignores
 * `conferenceData` without it.
 */
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
