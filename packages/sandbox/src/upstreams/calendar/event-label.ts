import { invalid } from './api-error.js';
import type { Call } from './call.js';
import type { CalendarRecord, EventRecord, Fields } from './state.js';

/**
 * Label and color of a write, by `eventLabelVersion`: 1 takes the label and ignores the color, 0 takes the color and
 * keeps the label that is stored. An empty label removes it.
 */
export function readLabel(
  { body, parameters }: Call,
  { labels = [] }: CalendarRecord,
  stored?: EventRecord,
): Fields {
  const { eventLabelId } = body;
  const kept = stored?.fields ?? {};
  if (parameters.integer('eventLabelVersion', 0) === 0) return { eventLabelId: kept.eventLabelId };
  if (eventLabelId === '' || eventLabelId === null) return { eventLabelId: null, colorId: kept.colorId };
  if (eventLabelId !== undefined && !labels.some(({ id }) => id === eventLabelId))
    throw invalid('Invalid event label id.');
  return { ...(eventLabelId === undefined ? {} : { eventLabelId }), colorId: kept.colorId };
}
