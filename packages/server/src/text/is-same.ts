import { timingSafeEqual } from 'node:crypto';

/** Compares secrets, or what is made of them, in a time that tells nothing of where they differ. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
