import { ServiceError } from '../errors.js';

/** Memory that one call has reserved for the bodies of its requests and responses. */
export interface MemoryShare {
  /** Reserves memory for these bytes. Returns false when too little is free. */
  tryTake(bytes: number): boolean;
  /** Reserves memory for these bytes. Throws `unavailable` when too little is free. */
  take(bytes: number): void;
  /** Frees all memory of the call. Later reservations of the same call succeed and do not count. */
  release(): void;
}

/** Memory budget for bodies, shared by all calls of this process (`SVC_RESPONSE_MEMORY`). */
export interface BodyMemory {
  open(applicationId: string): MemoryShare;
  /** Returns the number of reserved bytes. */
  usedBytes(): number;
}

const RETRY_AFTER_SECONDS = 1;
/** Value of `details.reason` in the error for too little memory. */
export const NO_MEMORY = 'memory';

const NO_BODY_MEMORY =
  'The running calls of this application use its whole share of `SVC_RESPONSE_MEMORY`. Retry in a few seconds, make fewer calls in parallel, or request less data per call.';

const noRoom = (message: string): ServiceError =>
  new ServiceError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS, reason: NO_MEMORY });

/**
 * Creates the memory budget. An application may use as much as it leaves free for others. One application alone gets
 * half, and each of two gets a third. Memory is thus always left for the next application. `message`: text of the error
 * when too little is free.
 */
export function createBodyMemory(totalBytes: number, message = NO_BODY_MEMORY): BodyMemory {
  const used = new Map<string, number>();
  let free = totalBytes;

  function add(applicationId: string, bytes: number): void {
    const now = (used.get(applicationId) ?? 0) + bytes;
    if (now === 0) used.delete(applicationId);
    else used.set(applicationId, now);
    free -= bytes;
  }

  return {
    usedBytes: () => totalBytes - free,
    open: (applicationId) => {
      let own = 0;
      let isOver = false;
      const tryTake = (bytes: number): boolean => {
        // Reserves nothing after the end of the call, because the remaining bytes of its bodies are dropped.
        if (isOver) return true;
        if ((used.get(applicationId) ?? 0) + bytes > free - bytes) return false;
        own += bytes;
        add(applicationId, bytes);
        return true;
      };
      return {
        tryTake,
        take: (bytes) => {
          if (!tryTake(bytes)) throw noRoom(message);
        },
        release: () => {
          add(applicationId, -own);
          own = 0;
          isOver = true;
        },
      };
    },
  };
}
