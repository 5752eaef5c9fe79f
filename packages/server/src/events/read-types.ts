import type { AnyEventType } from '../names/event-types.js';

/** Reads the stored list of event types of an endpoint. */
export const readTypes = (types: string): readonly AnyEventType[] => JSON.parse(types);
