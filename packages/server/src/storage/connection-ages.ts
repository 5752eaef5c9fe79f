export interface Ages<Connection> {
  /** Whether it leads to a host that gave no answer: it is not used again. */
  readonly isLost: (connection: Connection) => boolean;
  /** Something that was asked at this moment, as `performance.now()` has it, got no answer. */
  readonly lose: (asked: number) => void;
}

/**
 * A connection made before something was asked that got no answer leads to the same host. A younger one is kept, and if it leads
 * there too, its own silence tells: answers that stay out are noticed one after the other, and since the first of them there are
 * connections to another host.
 */
export function createAges<Connection extends object>(
  onConnect: (note: (connection: Connection) => void) => void,
  now: () => number = () => performance.now(),
): Ages<Connection> {
  const made = new WeakMap<Connection, number>();
  let lostAt = Number.NEGATIVE_INFINITY;
  onConnect((connection) => made.set(connection, now()));
  return {
    isLost: (connection) => (made.get(connection) ?? 0) <= lostAt,
    lose: (asked) => {
      lostAt = Math.max(lostAt, asked);
    },
  };
}
