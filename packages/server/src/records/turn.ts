import type { Storage } from '../storage/storage.js';

/** Work that one of several instances does at a time. */
export interface Turn {
  /** Whether it is this instance's turn. */
  take(): Promise<boolean>;
  /** Keeps the turn for longer; to be called again and again while the work goes on. */
  extend(): Promise<void>;
  isOurs(): boolean;
}

export interface TurnParts {
  readonly storage: Pick<Storage, 'settings'>;
  readonly name: string;
  /** Of an instance that ended in the middle, the others get the turn after so long. */
  readonly lifeMs: number;
  readonly now: () => number;
}

/** The turn is a moment in the database, until which it is somebody's: taken and extended by compare and set. */
export function createTurn({ storage: { settings }, name, lifeMs, now }: TurnParts): Turn {
  let until = 0;

  async function move(from: number): Promise<boolean> {
    const to = now() + lifeMs;
    const isMoved = await settings.replace(name, { from: String(from), to: String(to) });
    until = isMoved ? to : 0;
    return isMoved;
  }

  return {
    take: async () => {
      const held = Number(await settings.keepFirst(name, '0'));
      // Later than anybody could have said now: a clock was wrong then.
      const isHeld = held > now() && held <= now() + lifeMs;
      return isHeld ? false : move(held);
    },
    extend: async () => {
      if (until - now() < lifeMs / 2) await move(until);
    },
    isOurs: () => until > now(),
  };
}
