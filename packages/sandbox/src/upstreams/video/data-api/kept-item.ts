import { forbidden, refuse } from '../refusals.js';
import type { World } from '../world.js';
import type { Call } from './call.js';
import { idsOf, oneFilter } from './filters.js';

/** What a channel has of a resource. */
export interface Kept {
  readonly id: string;
  readonly channelId: string;
}

interface Finding<Item extends Kept> {
  itemsOf(world: World): Map<string, Item>;
  /** The reason of a refusal where there is no such item. */
  readonly missing: string;
  /** Whether a channel that does not own it may change it as well. */
  readonly mayToo?: (call: Call, item: Item) => boolean;
}

/** The item that a request changes. */
export function ownItem<Item extends Kept>(
  call: Call,
  id: string,
  { itemsOf, missing, mayToo }: Finding<Item>,
): Item {
  const found = itemsOf(call.world).get(id);
  if (found === undefined) throw refuse(404, missing, 'What the request names cannot be found.');
  if (found.channelId === call.me.id || mayToo?.(call, found)) return found;
  throw forbidden();
}

/** What the channel of a request has: all of it, or what the request names by its ids. */
export function ownItems<Item extends Kept>(call: Call, items: Map<string, Item>): Item[] {
  const own = [...items.values()].filter(({ channelId }) => channelId === call.me.id);
  if (oneFilter(call, ['id', 'mine']) === 'mine') return own;
  const ids = idsOf(call);
  return own.filter(({ id }) => ids.includes(id));
}
