/** Whom something waits for, the widest first, such as application, connection and account. */
export type Path = readonly string[];

/** What waits, in turns at every level: whoever has much waiting does not keep others from being next. */
export interface FairQueue<Item> {
  /** Gives what takes it out again. */
  add(path: Path, item: Item): () => void;
  /** The next one that may begin, which leaves the queue. */
  take(): Item | undefined;
  /** How much waits below a path; all of it for an empty one. */
  size(path: Path): number;
}

interface Branch<Item> {
  size: number;
  readonly branches: Map<string, Branch<Item>>;
  readonly items: Set<Item>;
}

const createBranch = <Item>(): Branch<Item> => ({ size: 0, branches: new Map(), items: new Set() });

/** `hasRoom` says whether anything below this key, at this level, may begin now. */
export function createFairQueue<Item>(hasRoom: (key: string, level: number) => boolean): FairQueue<Item> {
  const root = createBranch<Item>();

  function takeFrom(branch: Branch<Item>, level: number): Item | undefined {
    for (const [key, below] of branch.branches) {
      const item = hasRoom(key, level) ? takeFrom(below, level + 1) : undefined;
      if (item === undefined) continue;
      branch.size -= 1;
      // Behind the others, who are next.
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
