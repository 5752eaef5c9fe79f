/** Owners of a waiting item, from the widest to the narrowest, such as application, connection and account. */
export type Path = readonly string[];

/** Waiting items, taken round-robin at every level: an owner with many items does not delay the others. */
export interface FairQueue<Item> {
  /** Adds an item to the queue of its owners. Returns a function that removes the item. */
  add(path: Path, item: Item): () => void;
  /** Removes and returns the next item that may start now, as `hasRoom` says. `undefined` if no item may start. */
  take(): Item | undefined;
  /** Number of waiting items whose owner begins with `path`. An empty path counts all items. */
  size(path: Path): number;
}

interface Branch<Item> {
  size: number;
  readonly branches: Map<string, Branch<Item>>;
  readonly items: Set<Item>;
}

const createBranch = <Item>(): Branch<Item> => ({ size: 0, branches: new Map(), items: new Set() });

/**
 * Creates a fair queue. `hasRoom` returns true if an item of the owner `key` may start now. `level` is the index of
 * this owner in the item's path.
 */
export function createFairQueue<Item>(hasRoom: (key: string, level: number) => boolean): FairQueue<Item> {
  const root = createBranch<Item>();

  function takeFrom(branch: Branch<Item>, level: number): Item | undefined {
    for (const [key, below] of branch.branches) {
      const item = hasRoom(key, level) ? takeFrom(below, level + 1) : undefined;
      if (item === undefined) continue;
      branch.size -= 1;
      // Deletes the owner's key and adds it at the end of the map, so that the next item comes from another owner.
      branch.branches.delete(key);
      if (below.size > 0) branch.branches.set(key, below);
      return item;
    }
    const [first] = branch.items;
    if (first === undefined) return undefined;
    branch.items.delete(first);
    branch.size -= 1;
    return first;
  }

  function remove(branch: Branch<Item>, [key, ...rest]: Path, item: Item): boolean {
    const below = key === undefined ? undefined : branch.branches.get(key);
    const isRemoved = key === undefined ? branch.items.delete(item) : !!below && remove(below, rest, item);
    if (!isRemoved) return false;
    branch.size -= 1;
    if (key !== undefined && below?.size === 0) branch.branches.delete(key);
    return true;
  }

  return {
    add: (path, item) => {
      let branch = root;
      root.size += 1;
      for (const key of path) {
        const below = branch.branches.get(key) ?? createBranch<Item>();
        branch.branches.set(key, below);
        below.size += 1;
        branch = below;
      }
      branch.items.add(item);
      return () => void remove(root, path, item);
    },
    take: () => takeFrom(root, 0),
    size: (path) =>
      path.reduce<Branch<Item> | undefined>((branch, key) => branch?.branches.get(key), root)?.size ?? 0,
  };
}
