import type { AnswerMemory, MemoryShare } from '../listener/answer-memory.js';

/** Memory for a body that is larger than every body may be. It is given back when the call and all work on the input have ended. */
export interface InputRoom extends Pick<MemoryShare, 'take'> {
  /** Keeps the memory until this work has ended, which goes on when the caller has disconnected. */
  keepDuring(work: Promise<unknown>): void;
}

interface InputRoomOptions {
  readonly applicationId: string;
  /** Called for a large body, which may take long to arrive. */
  readonly expectUpload: () => void;
  readonly whenClosed: Promise<unknown>;
}

export function openInputRoom(
  memory: AnswerMemory,
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
    keepDuring: (work) => void works.push(work),
  };
}
