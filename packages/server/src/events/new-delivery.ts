import type { EventDeliveryRow } from '../storage/event-rows.js';
import type { PositionedEvent } from '../storage/events-table.js';
import { newId, type Random } from '../text/random.js';

export interface NewDeliveryParts {
  readonly now: () => number;
  readonly random: Random;
}

/**
 * Creates the function that returns the row of a new delivery. `isDue`: false if the delivery must wait for an earlier
 * one of its account.
 */
export function createNewDelivery({ now, random }: NewDeliveryParts) {
  return function newDelivery(
    { applicationId, id: eventId, position, type, accountId }: PositionedEvent,
    endpointId: string,
    isDue = true,
  ): EventDeliveryRow {
    const createdAt = now();
    return {
      id: newId('dlv', random),
      applicationId,
      endpointId,
      eventId,
      position,
      type,
      accountId,
      state: 'pending',
      attempts: 0,
      nextAt: isDue ? createdAt : null,
      claim: null,
      log: '[]',
      createdAt,
      endedAt: null,
    };
  };
}
