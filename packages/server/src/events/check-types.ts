import { wrongField } from '../errors.js';
import type { AnyEventType } from '../names/event-types.js';

/**
 * Converts names in a request to event types. `field`: request field that contains them. Throws `invalid_request` for
 * an unknown name.
 */
export type CheckTypes = (names: readonly string[], field: string) => readonly AnyEventType[];

/**
 * Creates the function that checks event types in a request. `known`: all event types, including those of upstream
 * webhooks.
 */
export function createCheckTypes(known: readonly AnyEventType[]): CheckTypes {
  return (names, field) =>
    names.map((name) => {
      const type = known.find((each) => each === name);
      if (type !== undefined) return type;
      throw wrongField(
        field,
        `"${field}" contains "${name}", which is not an event type. Use one or more of ${known.join(', ')}.`,
      );
    });
}
