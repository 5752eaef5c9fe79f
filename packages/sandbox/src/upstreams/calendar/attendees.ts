import { isObject } from '../../json.js';
import { invalid, required } from './api-error.js';
import type { EventRecord, Fields } from './state.js';

const RESPONSES: readonly unknown[] = ['needsAction', 'declined', 'tentative', 'accepted'];

/**
 * Parses the attendees of a request body. An attendee without a response status gets `needsAction`. Duplicate addresses
 * are dropped.
 */
export function readAttendees(value: unknown): Fields[] {
  if (!Array.isArray(value)) throw invalid('Invalid attendees.');
  const guests = new Map<string, Fields>();
  for (const guest of value.map(readAttendee)) {
    const address = String(guest.email).toLowerCase();
    if (!guests.has(address)) guests.set(address, guest);
  }
  return [...guests.values()];
}

function readAttendee(value: unknown): Fields {
  if (!isObject(value) || typeof value.email !== 'string' || value.email === '')
    throw required('Missing attendee email.');
  if (!/^[^\s@]+@[^\s@]+$/.test(value.email)) throw invalid('Invalid attendee email.');
  const {
    email,
    displayName,
    optional,
    responseStatus = 'needsAction',
    comment,
    additionalGuests,
    resource,
  } = value;
  if (!RESPONSES.includes(responseStatus))
    throw invalid(`Invalid value for: ${responseStatus} is not a valid value`);
  const given = { email, displayName, optional, responseStatus, comment, additionalGuests, resource };
  return Object.fromEntries(Object.entries(given).filter(([, entry]) => entry !== undefined));
}

/** Limits a change to the person's own attendee entry if the body has `attendeesOmitted: true`. */
export function ownResponse(
  { attendeesOmitted, attendees, ...patch }: Readonly<Fields>,
  stored: Readonly<Fields>,
  email: string,
): Fields {
  if (attendees === undefined) return patch;
  if (attendeesOmitted !== true || !Array.isArray(attendees)) return { ...patch, attendees };
  const own = readAttendees(attendees).find((guest) => guest.email === email);
  const guests = Array.isArray(stored.attendees) ? stored.attendees.filter(isObject) : [];
  return { ...patch, attendees: guests.map((guest) => (guest.email === email && own ? own : guest)) };
}

export function presentAttendees(
  { fields, organizer }: EventRecord,
  email: string,
  max: number,
): { attendees?: Fields[]; attendeesOmitted?: true } {
  const guests = Array.isArray(fields.attendees) ? fields.attendees.filter(isObject) : [];
  if (guests.length === 0) return {};
  const marked = guests.map(
    (guest): Fields => ({
      ...guest,
      ...(guest.email === organizer.email ? { organizer: true } : {}),
      ...(guest.email === email ? { self: true } : {}),
    }),
  );
  if (marked.length <= max) return { attendees: marked };
  // Lists above `maxAttendees` contain only the entry of the person who reads the event.
  return { attendees: marked.filter((guest) => guest.email === email).slice(0, max), attendeesOmitted: true };
}
