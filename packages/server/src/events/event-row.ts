import type { EventRow } from '../storage/event-rows.js';
import { isoTime } from '../text/iso-time.js';
import type { EventDraft } from './describe-change.js';

/** Builds the database row of an event. `payload`: encrypted data from an upstream, or `null`. */
export const toEventRow = (
  { data, ...event }: EventDraft,
  { id, payload }: Pick<EventRow, 'id' | 'payload'>,
) => ({
  ...event,
  id,
  position: null,
  body: JSON.stringify({ type: event.type, timestamp: isoTime(event.at), data }),
  payload,
});
