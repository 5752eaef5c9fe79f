/** Fraction of the concurrent requests that is reserved for applications without a running request. */
const RESERVED_PART = 0.2;

/**
 * Limits the concurrent requests of this process to a group of endpoints. Each application without a running request
 * may use one of the reserved requests, so the slow endpoints of some applications do not stop those of others.
 */
export function createDeliveryLane(slots: number) {
  const running = new Map<string, number>();
  const shared = slots - Math.ceil(slots * RESERVED_PART);
  let total = 0;

  return {
    /** Returns the number of further requests that the application may start now. */
    room: (applicationId: string): number => {
      const reserved = running.has(applicationId) ? 0 : Math.min(1, slots - total);
      return Math.max(0, shared - total, reserved);
    },
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
