import type { AnswerMemory, MemoryShare } from '../listener/answer-memory.js';

/** Room for what a caller sends beyond what every body may have. It goes when the call has ended, and all work on it. */
export interface InputRoom extends Pick<MemoryShare, 'take'> {
  /** Work that needs the input, and goes on when the caller is gone. */
  keepDuring(work: Promise<unknown>): void;
}

interface Opened {
  readonly applicationId: string;
  /** Called for a body that needs room: it may take long to come. */
  readonly expectUpload: () => void;
  readonly whenClosed: Promise<unknown>;
}

export function openInputRoom(memory: AnswerMemory, opened: Opened): InputRoom {
  const { applicationId, expectUpload, whenClosed } = opened;
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
