import { withEtag } from '../with-etag.js';
import type { Fields } from '../world.js';
import type { Call } from './call.js';

/** How each part of a resource is made; undefined leaves it out. */
export type PartMakers<Item> = Readonly<Record<string, (item: Item, call: Call) => object | undefined>>;

/** The names that `part` may have. */
export function partNames<Item>(makers: PartMakers<Item>): string[] {
  return ['id', ...Object.keys(makers)];
}

interface Making<Item> {
  readonly kind: string;
  readonly makers: PartMakers<Item>;
  readonly call: Call;
}

/** A resource with the parts that are asked for. */
export function presentResource<Item extends { readonly id: string }>(
  item: Item,
  { kind, makers, call }: Making<Item>,
): Fields {
  const shown: Fields = {};
  for (const [name, make] of Object.entries(makers)) {
    const part = call.parts.has(name) ? make(item, call) : undefined;
    if (part !== undefined) shown[name] = part;
  }
  return withEtag({ kind: `youtube#${kind}`, id: item.id, ...shown });
}

/** Pictures of a resource, by their sizes. */
export function thumbnails(address: string): Fields {
  const sizes = { default: [120, 90], medium: [320, 180], high: [480, 360] };
  return Object.fromEntries(
    Object.entries(sizes).map(([name, [width, height]]) => [
      name,
      { url: `https://i.ytimg.com/${address}/${name}.jpg`, width, height },
    ]),
  );
}
