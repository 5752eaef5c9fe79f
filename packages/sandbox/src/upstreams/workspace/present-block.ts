import { presentParent, presentStamp, presentTrash, type View } from './present.js';
import { plainText } from './rich-text.js';
import type { BlockRecord, DatabaseRecord, PageRecord, Parent, Stamp } from './state.js';
import { titleOf } from './titles.js';
import type { Version } from './version.js';

export function presentBlock(block: BlockRecord, { state, version }: View) {
  const hasChildren = block.children.some((id) => state.blocks.get(id)?.inTrash === false);
  return envelope(block, {
    parent: block.parent,
    hasChildren,
    version,
    type: block.type,
    content: block.content,
  });
}

/** A page or database as it stands among the blocks of its parent. */
export function presentChild(child: PageRecord | DatabaseRecord, { version }: View) {
  const isPage = 'values' in child;
  const title = isPage ? titleOf(child) : plainText(child.title);
  const hasChildren = isPage && child.children.length > 0;
  return envelope(child, {
    parent: child.parent,
    hasChildren,
    version,
    type: isPage ? 'child_page' : 'child_database',
    content: { title },
  });
}

interface Envelope {
  readonly parent: Parent;
  readonly hasChildren: boolean;
  readonly version: Version;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

function envelope(stamp: Stamp, { parent, hasChildren, version, type, content }: Envelope) {
  return {
    object: 'block',
    id: stamp.id,
    parent: presentParent(parent),
    ...presentStamp(stamp),
    has_children: hasChildren,
    ...presentTrash(stamp, version),
    type,
    [type]: content,
  };
}
