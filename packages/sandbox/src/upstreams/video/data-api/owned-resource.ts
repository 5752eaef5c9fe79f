import type { Rules } from '../../../google/parameter-rules.js';
import { type Check, textOf, withEtag } from '../body.js';
import { forbidden, missingParameter, refuse } from '../refusals.js';
import type { ScopeName } from '../scopes.js';
import type { Fields, Owned, World } from '../world.js';
import { type Call, type Method, serviceMethods } from './call.js';
import { idsOf, oneFilter, requiredText } from './filters.js';
import type { TakenFiles } from './media.js';
import { listPage, type PartMakers, partNames, presentResource } from './resource.js';

interface Listing<Item> {
  readonly parameters: Rules;
  readonly needs?: readonly string[];
  /** Default number of items per page. Absent if the list is not paginated. */
  readonly size?: number;
  find(call: Call): readonly Item[];
}

/** Definition of a resource that its channel can list and write. Absent operations do not exist in the service. */
export interface OwnedResource<Item extends Owned> {
  /** Service name in Google's API description, such as `LiveStream` of `V3DataLiveStreamService`. */
  readonly service: string;
  readonly path: string;
  readonly kind: string;
  readonly makers: PartMakers<Item>;
  readonly reading: readonly ScopeName[];
  readonly writing: readonly ScopeName[];
  readonly ofNew?: Rules;
  readonly ofChanged?: Rules;
  readonly body?: Check;
  readonly takes?: TakenFiles;
  /** True for recently added resources, whose `part` parameter is optional and whose responses have no etag. */
  readonly isYoung?: true;
  /** Error reason if the item does not exist. */
  readonly missing: string;
  itemsOf(world: World): Map<string, Item>;
  readonly list?: Listing<Item>;
  readonly insert?: (call: Call) => Item;
  readonly update?: (call: Call, item: Item) => Item;
  /** Runs before a deletion. Throws to prevent it, or deletes dependent objects. */
  readonly remove?: (call: Call, item: Item) => void;
  /** Returns true if a channel may delete an item that it does not own. */
  readonly mayRemove?: (call: Call, item: Item) => boolean;
}

type Verb = 'List' | 'Insert' | 'Update' | 'Delete';
type Own = Pick<Method, 'handle' | 'parameters'> & Partial<Method>;
type Maker = <Item extends Owned>(resource: OwnedResource<Item>) => Own | undefined;

const VERBS: readonly Verb[] = ['List', 'Insert', 'Update', 'Delete'];

export function methodsOf<Item extends Owned>(resource: OwnedResource<Item>): readonly Method[] {
  const { service, path, reading, writing } = resource;
  const own = VERBS.flatMap((verb) => {
    const made = MAKERS[verb](resource);
    return made === undefined ? [] : [[verb, { scopes: verb === 'List' ? reading : writing, ...made }]];
  });
  return serviceMethods(service, path, Object.fromEntries(own));
}

const MAKERS: Readonly<Record<Verb, Maker>> = {
  List(resource) {
    const { list, kind } = resource;
    if (list === undefined) return undefined;
    const { parameters, needs = [], size } = list;
    const listed = `${kind}ListResponse`;
    const listBody = (call: Call): Fields => {
      const items = list.find(call);
      if (size === undefined)
        return withEtag({ kind: `youtube#${listed}`, items: items.map(present(resource, call)) });
      const listing = { kind: listed, size: call.parameters.integer('maxResults', size) };
      return listPage(call, items, { ...listing, present: present(resource, call) });
    };
    return {
      ...partsOf(resource),
      parameters,
      needs,
      handle: (call) => ({ body: tagged(resource, listBody(call)) }),
    };
  },
  Insert(resource) {
    const { insert, ofNew = {} } = resource;
    if (insert === undefined) return undefined;
    const handle = (call: Call) => store(resource, call, insert(call));
    return { ...partsOf(resource), ...bodyOf(resource), parameters: ofNew, handle };
  },
  Update(resource) {
    const { update, ofChanged = {} } = resource;
    if (update === undefined) return undefined;
    const handle = (call: Call) => {
      const id = textOf(call.body, 'id');
      if (id === undefined) throw missingParameter('id');
      return store(resource, call, update(call, ownItem(call, id, resource)));
    };
    return { ...partsOf(resource), ...bodyOf(resource), parameters: ofChanged, handle };
  },
  Delete(resource) {
    const { remove, itemsOf, mayRemove, missing, ofChanged } = resource;
    if (remove === undefined) return undefined;
    return {
      parameters: { id: 'text', ...ofChanged },
      needs: resource.isYoung ? [] : ['id'],
      handle(call) {
        const item = ownItem(call, requiredText(call, 'id'), {
          itemsOf,
          missing,
          ...(mayRemove === undefined ? {} : { mayToo: mayRemove }),
        });
        remove(call, item);
        itemsOf(call.world).delete(item.id);
        return { status: 204 };
      },
    };
  },
};

const partsOf = <Item extends Owned>({ makers, isYoung }: OwnedResource<Item>) => ({
  parts: partNames(makers),
  ...(isYoung === undefined ? {} : { partsAreOptional: isYoung }),
});

const bodyOf = <Item extends Owned>({ body, takes }: OwnedResource<Item>) => ({
  ...(body === undefined ? {} : { body }),
  ...(takes === undefined ? {} : { takes }),
});

function tagged<Item extends Owned>({ isYoung }: OwnedResource<Item>, body: Fields): Fields {
  const { etag: _, ...untagged } = body;
  return isYoung ? untagged : body;
}

const present =
  <Item extends Owned>(resource: OwnedResource<Item>, call: Call) =>
  (item: Item): Fields => {
    const { kind, makers } = resource;
    return tagged(resource, presentResource(item, { kind, makers, call }));
  };

function store<Item extends Owned>(resource: OwnedResource<Item>, call: Call, item: Item) {
  resource.itemsOf(call.world).set(item.id, item);
  return { body: present(resource, call)(item) };
}

interface Finding<Item extends Owned> {
  itemsOf(world: World): Map<string, Item>;
  readonly missing: string;
  readonly mayToo?: (call: Call, item: Item) => boolean;
}

export function ownItem<Item extends Owned>(
  call: Call,
  id: string,
  { itemsOf, missing, mayToo }: Finding<Item>,
): Item {
  const item = itemsOf(call.world).get(id);
  if (item === undefined) throw refuse(404, missing, 'The requested resource cannot be found.');
  if (item.channelId === call.me.id || mayToo?.(call, item)) return item;
  throw forbidden();
}

export function ownItems<Item extends Owned>(call: Call, items: Map<string, Item>): Item[] {
  const own = [...items.values()].filter(({ channelId }) => channelId === call.me.id);
  if (oneFilter(call, ['id', 'mine']) === 'mine') return own;
  const ids = idsOf(call);
  return own.filter(({ id }) => ids.includes(id));
}
