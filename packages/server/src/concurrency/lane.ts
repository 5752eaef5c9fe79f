/** Fraction of the slots that is reserved for applications without running work. */
const RESERVED_PART = 0.2;

/**
 * Limits the concurrent work of one kind in this process, such as deliveries and polls. A part of the
 * `slots` is reserved for applications without running work, so slow work of some applications does not stop others.
 */
export function createLane(slots: number) {
  const running = new Map<string, number>();
  const shared = slots - Math.ceil(slots * RESERVED_PART);
  let total = 0;

  return {
    /** Returns the number of further slots that the application may use now. */
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

export type Lane = ReturnType<typeof createLane>;
