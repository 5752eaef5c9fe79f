import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import { BLOCK_TYPES } from './block-shape.js';
import { storedFile, withType } from './file-shape.js';
import { richText } from './rich-text.js';
import type { BlockRecord, Content, Parent, WorkspaceState } from './state.js';

const MAX_BLOCKS = 1000;

export function insertBlocks(
  state: WorkspaceState,
  children: unknown,
  { parent, by }: { parent: Parent; by: string },
): BlockRecord[] {
  const items = Array.isArray(children) ? children.filter(isObject) : [];
  if (countBlocks(items) > MAX_BLOCKS)
    throw invalid(`body failed validation: body.children should have ≤ \`${MAX_BLOCKS}\` blocks in all.`);
  return items.map((item) => {
    const type = BLOCK_TYPES.find((name) => item[name] !== undefined) ?? 'paragraph';
    const { children: nested, ...content } = isObject(item[type]) ? item[type] : {};
    const stamp = state.stamp(by);
    const block: BlockRecord = {
      ...stamp,
      type,
      content: completeContent(type, content),
      parent,
      children: [],
    };
    state.blocks.set(block.id, block);
    const inner = insertBlocks(state, nested, { parent: { type: 'block_id', id: block.id }, by });
    block.children = inner.map(({ id }) => id);
    return block;
  });
}

/** Block types that are allowed only inside one other type. That type allows no other children. */
const PARENT_TYPES: Readonly<Record<string, string>> = { column: 'column_list', table_row: 'table' };

/** Rejects misplaced blocks, such as table rows outside a table or text directly inside a column list. */
export function assertNesting(children: unknown, parentType: string): void {
  const wanted = Object.keys(PARENT_TYPES).find((type) => PARENT_TYPES[type] === parentType);
  for (const item of Array.isArray(children) ? children.filter(isObject) : []) {
    const type = BLOCK_TYPES.find((name) => item[name] !== undefined) ?? '';
    if (wanted !== undefined && type !== wanted)
      throw invalid(`A ${parentType} block can only have ${wanted} blocks as children.`);
    if ((PARENT_TYPES[type] ?? parentType) !== parentType)
      throw invalid(`A ${type} block can only be a child of a ${PARENT_TYPES[type]} block.`);
  }
}

function countBlocks(children: unknown): number {
  if (!Array.isArray(children)) return 0;
  return children.reduce<number>((count, item) => count + 1 + countBlocks(nestedOf(item)), 0);
}

function nestedOf(item: unknown): unknown {
  if (!isObject(item)) return undefined;
  const content = Object.values(item).find((value) => isObject(value) && Array.isArray(value.children));
  return isObject(content) ? content.children : undefined;
}

const COLORED =
  /^(paragraph|heading_[1234]|bulleted_list_item|numbered_list_item|quote|toggle|to_do|callout|table_of_contents)$/;

export function completeContent(type: string, given: Content): Content {
  const content: Content = { ...given };
  for (const key of ['rich_text', 'caption'])
    if (given[key] !== undefined) content[key] = richText(given[key]);
  if (type === 'paragraph') content.icon = withType(given.icon);
  if (COLORED.test(type)) content.color ??= 'default';
  if (type.startsWith('heading_')) content.is_toggleable ??= false;
  if (type === 'to_do') content.checked ??= false;
  if (type === 'callout') content.icon = withType(given.icon) ?? { type: 'emoji', emoji: '💡' };
  if (/^(code|bookmark|embed|image|video|file|pdf|audio)$/.test(type)) content.caption ??= [];
  if (type === 'table') {
    content.has_column_header ??= false;
    content.has_row_header ??= false;
  }
  if (type === 'table_row' && Array.isArray(given.cells)) content.cells = given.cells.map(richText);
  if (content.external !== undefined) content.type = 'external';
  if (isObject(content.file_upload)) {
    content.type = 'file';
    content.file = storedFile(content.file_upload);
    delete content.file_upload;
  }
  if (type === 'file') content.name ??= 'file';
  return content;
}
