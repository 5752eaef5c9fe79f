import { isObject } from '../../json.js';
import { invalid, notFound } from './api-error.js';
import { blockUpdateShape, canHaveChildren, childrenShape } from './block-shape.js';
import type { Call, Endpoints, Version } from './call.js';
import { assertNesting, completeContent, insertBlocks } from './insert-blocks.js';
import { type BlockLike, blockById, containerById } from './lookup.js';
import { listPage, readPaging } from './paging.js';
import { presentParent, presentStamp, presentTrash, titleOf, type View } from './present.js';
import { plainText } from './rich-text.js';
import { canonicalId, failureMessage, object, oneOf, type Shape, should, tagged, uuid } from './shape.js';
import type { BlockRecord, DatabaseRecord, PageRecord, Parent, Stamp } from './state.js';
import { assertEditable, assertOutOfTrash, requestedTrash } from './trash.js';

export function addBlocks(endpoints: Endpoints): void {
  endpoints.add('GET', '/blocks/:block_id', (call) =>
    present(call, blockById(call.state, call.id('block_id'))),
  );
  endpoints.add('PATCH', '/blocks/:block_id', updateBlock);
  endpoints.add('DELETE', '/blocks/:block_id', deleteBlock);
  endpoints.add('GET', '/blocks/:block_id/children', listChildren);
  endpoints.add('PATCH', '/blocks/:block_id/children', appendChildren);
}

function present(call: Call, target: BlockLike) {
  return target.kind === 'block' ? presentBlock(target.record, call) : presentChild(target.record, call);
}

function updateBlock(call: Call): unknown {
  const target = blockById(call.state, call.id('block_id'));
  call.checkAs(blockUpdateShape());
  const { record } = target;
  const trash = requestedTrash(call);
  if (record.inTrash && trash !== false) throw notFound('block', record.id);
  assertOutOfTrash(call.state, record);
  const { type, object: _object, archived: _archived, in_trash: _inTrash, ...contents } = call.body;
  changeContent(target, {
    ...contents,
    ...(type === undefined ? {} : { [String(type)]: contents[String(type)] ?? {} }),
  });
  if (trash !== undefined) record.inTrash = trash;
  call.state.touch(record, call.bot);
  return present(call, target);
}

// Updates the content of a block. Absent keys keep their values, and a given `rich_text` replaces the old one
// completely.
function changeContent(target: BlockLike, contents: Readonly<Record<string, unknown>>): void {
  const [type, second] = Object.keys(contents);
  if (type === undefined) return;
  const stored = target.kind === 'block' ? target.record.type : `child_${target.kind}`;
  if (type !== stored || second !== undefined || target.kind !== 'block') {
    throw invalid(
      `body failed validation: body.${type === stored ? second : type} should be not present, the block is of type \`${stored}\`.`,
    );
  }
  const given = contents[type];
  if (isObject(given)) target.record.content = completeContent(type, { ...target.record.content, ...given });
}

function deleteBlock(call: Call): unknown {
  const target = blockById(call.state, call.id('block_id'));
  assertEditable(call.state, target.record);
  target.record.inTrash = true;
  call.state.touch(target.record, call.bot);
  return present(call, target);
}

function listChildren(call: Call): unknown {
  const paging = readPaging(call);
  const container = containerById(call.state, call.id('block_id'));
  const children = container.children
    .map((id) => blockById(call.state, id))
    .filter(({ record }) => !record.inTrash);
  return listPage(call, children, {
    type: 'block',
    paging,
    idOf: ({ record }) => record.id,
    present: (child) => present(call, child),
  });
}

const position = tagged({
  after_block: object({ id: uuid }, ['id']),
  start: object({}),
  end: object({}),
});

// Accepts a position that names only its kind, such as `{"type":"start"}`.
const positionShape: Shape = (value, path) => {
  const bare = isObject(value) && Object.keys(value).length === 1 && value.type !== 'after_block';
  return bare ? object({ type: oneOf('start', 'end') }, ['type'])(value, path) : position(value, path);
};

function appendChildren(call: Call): unknown {
  const { hasArchived, hasDataSources } = call.version;
  const where: Record<string, Shape> = {
    ...(hasArchived ? { after: uuid } : {}),
    ...(hasDataSources ? { position: positionShape } : {}),
  };
  call.checkBody({ children: childrenShape, ...where }, ['children']);
  const container = containerById(call.state, call.id('block_id'));
  assertEditable(call.state, container);
  const isBlock = 'content' in container;
  if (isBlock && !canHaveChildren(container.type, container.content))
    throw invalid('Block does not support children.');
  assertNesting(call.body.children, isBlock ? container.type : 'page');

  const index = insertionIndex(container, call);
  const added = insertBlocks(call.state, call.body.children, {
    parent: { type: isBlock ? 'block_id' : 'page_id', id: container.id },
    by: call.bot,
  });
  container.children.splice(index, 0, ...added.map(({ id }) => id));
  call.state.touch(container, call.bot);
  const results = added.map((block) => presentBlock(block, call));
  return {
    object: 'list',
    results,
    next_cursor: null,
    has_more: false,
    type: 'block',
    block: {},
    request_id: call.requestId,
  };
}

function insertionIndex({ children }: BlockRecord | PageRecord, { body }: Call): number {
  const { position } = body;
  if (isObject(position) && (position.start !== undefined || position.type === 'start')) return 0;
  const after = isObject(position) && isObject(position.after_block) ? position.after_block.id : body.after;
  if (typeof after !== 'string') return children.length;
  const index = children.indexOf(canonicalId(after));
  if (index === -1)
    throw invalid(failureMessage('body', should('body.after', 'a child of the block', after)));
  return index + 1;
}

function presentBlock(block: BlockRecord, { state, version }: View) {
  const hasChildren = block.children.some((id) => state.blocks.get(id)?.inTrash === false);
  return envelope(block, {
    parent: block.parent,
    hasChildren,
    version,
    type: block.type,
    content: block.content,
  });
}

function presentChild(child: PageRecord | DatabaseRecord, { version }: View) {
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
