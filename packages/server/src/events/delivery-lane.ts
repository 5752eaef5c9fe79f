/** Fraction of the concurrent requests that is reserved for applications without a running request. */
const RESERVED_PART = 0.2;

/**
 * Limits the concurrent requests of this process to a group of endpoints. One application cannot use the whole limit,
 * so its slow endpoints do not delay those of others.
 */
export function createDeliveryLane(slots: number) {
  const running = new Map<string, number>();
  const shared = slots - Math.ceil(slots * RESERVED_PART);
  let total = 0;

  return {
    /** Returns the number of further requests that the application may start now. */
    room: (applicationId: string): number =>
      Math.max(0, (running.has(applicationId) ? shared : slots) - total),
    take: (applicationId: string, count: number): void => {
      if (count === 0) return;
      total += count;
      running.set(applicationId, (running.get(applicationId) ?? 0) + count);
    },
    release: (applicationId: string, count: number): void => {
      if (count === 0) return;
      total -= count;
      const left = (running.get(applicationId) ?? 0) - count;
      if (left > 0) running.set(applicationId, left);
      else running.delete(applicationId);
    },
  };
}

export type DeliveryLane = ReturnType<typeof createDeliveryLane>;
