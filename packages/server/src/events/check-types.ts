import { wrongField } from '../errors.js';
import type { AnyEventType } from '../names/event-types.js';

/** Returns the types of events. Throws invalid_request for a name that is no type of event. */
export type CheckTypes = (names: readonly string[], field: string) => readonly AnyEventType[];

/** Creates the check of event types. `known`: types of all events, those of upstreams too. */
export function createCheckTypes(known: readonly AnyEventType[]): CheckTypes {
  return (names, field) =>
    names.map((name) => {
      const type = known.find((each) => each === name);
      if (type !== undefined) return type;
      throw wrongField(
        field,
        `${field} contains "${name}", which is no type of event. Use some of ${known.join(', ')}.`,
      );
    });
}
