import { invalid } from './api-error.js';
import type { Call } from './call.js';
import type { CalendarRecord, EventRecord, Fields } from './state.js';

/**
 * Returns the label and color of an event write, by `eventLabelVersion`. Version 1 applies the label and ignores the
 * color. Version 0 applies the color and keeps the stored label. An empty label removes the stored label.
 */
export function readLabel(
  { body, parameters }: Call,
  { labels = [] }: CalendarRecord,
  stored?: EventRecord,
): Fields {
  const { eventLabelId } = body;
  const fields = stored?.fields ?? {};
  if (parameters.integer('eventLabelVersion', 0) === 0) return { eventLabelId: fields.eventLabelId };
  if (eventLabelId === '' || eventLabelId === null) return { eventLabelId: null, colorId: fields.colorId };
  if (eventLabelId !== undefined && !labels.some(({ id }) => id === eventLabelId))
    throw invalid('Invalid event label id.');
  return { ...(eventLabelId === undefined ? {} : { eventLabelId }), colorId: fields.colorId };
}
