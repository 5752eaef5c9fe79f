import { ServiceError } from '../errors.js';

/** What one call holds of bodies that came from outside, until it is over. */
export interface Holding {
  /** Counts the bytes as held where there is room for them. */
  tryTake(bytes: number): boolean;
  /** The same; throws unavailable where there is none. */
  take(bytes: number): void;
  /** Gives back all that was taken; what is taken after it does not count. */
  release(): void;
}

/** The bytes of bodies that this process holds at once. */
export interface AnswerMemory {
  open(applicationId: string): Holding;
}

const RETRY_AFTER_SECONDS = 1;
/** In `details` of the error. */
export const NO_MEMORY = 'memory';

const noRoom = (): ServiceError =>
  new ServiceError(
    'unavailable',
    'The service holds as much for this application as it has room for. Try again shortly, or with less.',
    { retryAfter: RETRY_AFTER_SECONDS, reason: NO_MEMORY },
  );

/**
 * An application may hold as much as it leaves free for others: half of all when it is alone, a third when there are two.
 * So whoever comes next finds room, and none is kept for somebody who never comes.
 */
export function createAnswerMemory(totalBytes: number): AnswerMemory {
  const held = new Map<string, number>();
  let free = totalBytes;

  function add(applicationId: string, bytes: number): void {
    const now = (held.get(applicationId) ?? 0) + bytes;
    if (now === 0) held.delete(applicationId);
    else held.set(applicationId, now);
    free -= bytes;
  }

  return {
    open: (applicationId) => {
      let own = 0;
      let isOver = false;
      const tryTake = (bytes: number): boolean => {
        // What still comes is dropped by who reads it.
        if (isOver) return true;
        if ((held.get(applicationId) ?? 0) + bytes > free - bytes) return false;
        own += bytes;
        add(applicationId, bytes);
        return true;
      };
      return {
        tryTake,
        take: (bytes) => {
          if (!tryTake(bytes)) throw noRoom();
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
