import { ServiceError } from '../errors.js';

/** The share of one call in the memory for bodies, until the call has ended. */
export interface MemoryShare {
  /** Takes memory for these bytes; false when there is too little. */
  tryTake(bytes: number): boolean;
  /** Takes memory for these bytes. Throws unavailable when there is too little. */
  take(bytes: number): void;
  /** Gives back all memory of the call. Bytes that are taken afterwards do not count. */
  release(): void;
}

/** Memory for bodies from outside, shared by all calls of this process (`SVC_ANSWER_MEMORY`). */
export interface AnswerMemory {
  open(applicationId: string): MemoryShare;
}

const RETRY_AFTER_SECONDS = 1;
/** The reason in `details` of the error. */
export const NO_MEMORY = 'memory';

const noRoom = (): ServiceError =>
  new ServiceError(
    'unavailable',
    'This application has used its share of `SVC_ANSWER_MEMORY`. Retry in a few seconds, or send a smaller request.',
    { retryAfter: RETRY_AFTER_SECONDS, reason: NO_MEMORY },
  );

/**
 * An application may use as much memory as it leaves free for others: half when it is alone, a third beside one other. So the next
 * application finds memory, and none is reserved for one that never comes.
 */
export function createAnswerMemory(totalBytes: number): AnswerMemory {
  const used = new Map<string, number>();
  let free = totalBytes;

  function add(applicationId: string, bytes: number): void {
    const now = (used.get(applicationId) ?? 0) + bytes;
    if (now === 0) used.delete(applicationId);
    else used.set(applicationId, now);
    free -= bytes;
  }

  return {
    open: (applicationId) => {
      let own = 0;
      let isOver = false;
      const tryTake = (bytes: number): boolean => {
        // The reader drops bytes that still arrive.
        if (isOver) return true;
        if ((used.get(applicationId) ?? 0) + bytes > free - bytes) return false;
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
