import type { BodyMemory, MemoryShare } from '../concurrency/body-memory.js';

/** Memory that is reserved for a large request body. It is freed when the call and all work on its input have ended. */
export interface InputRoom extends Pick<MemoryShare, 'take'> {
  /**
   * Keeps the memory of the request body reserved until this promise settles. The work may continue after the caller
   * has disconnected.
   */
  reserveDuring(work: Promise<unknown>): void;
}

interface InputRoomOptions {
  readonly applicationId: string;
  /**
   * Called for a large body, so that its slow arrival is not treated as a timeout. Implemented by
   * listener/client-sockets.ts.
   */
  readonly expectUpload: () => void;
  readonly whenClosed: Promise<unknown>;
}

export function openInputRoom(
  memory: BodyMemory,
  { applicationId, expectUpload, whenClosed }: InputRoomOptions,
): InputRoom {
  const { take, release } = memory.open(applicationId);
  const works: Promise<unknown>[] = [];
  void whenClosed.then(() => Promise.allSettled(works)).then(release);
  return {
    take: (bytes) => {
      take(bytes);
      expectUpload();
    },
    reserveDuring: (work) => void works.push(work),
  };
}
