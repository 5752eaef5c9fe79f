import type { AnyEventType } from '../names/event-types.js';

/** Parses the database column with the event types that an endpoint wants. */
export const readTypes = (types: string): readonly AnyEventType[] => JSON.parse(types);
