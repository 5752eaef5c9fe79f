import type { BodyMemory, MemoryShare } from '../concurrency/body-memory.js';

/** Memory reserved for a large request body. It is released when the call and all work on its input have ended. */
export interface InputRoom extends Pick<MemoryShare, 'take'> {
  /**
   * Keeps the memory of the request body reserved until the promise `work` settles, because work may continue after the
   * caller has disconnected.
   */
  reserveDuring(work: Promise<unknown>): void;
}

interface InputRoomOptions {
  readonly applicationId: string;
  /**
   * Reports that a large body is about to arrive, so that the listener does not close the connection when it arrives
   * slowly. Implemented by listener/client-sockets.ts.
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
