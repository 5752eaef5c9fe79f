import { cutText, isJsonObject, segment } from '@svc/catalog';
import { invalidField, ServiceError } from '../../../errors.js';
import type { Send } from '../../handler.js';
import { type Json, listIn, objectIn, withoutUndefined } from '../json.js';
import { copyProperties } from './copy-properties.js';
import { toRichText } from './rich-text.js';
import { DATA_SOURCE_VERSION, versionHeader } from './version.js';

/**
 * Largest Markdown content of a copied page, in bytes. The rest of the upstream's limit of 500 KB per request is for
 * the properties.
 */
const MAX_CONTENT_BYTES = 400_000;

const COPY_BLOCKS =
  'Create a page with workspace_page_create, and copy the blocks with workspace_block_children_list and workspace_blocks_append.';

interface DuplicateInput {
  readonly page_id: string;
  readonly parent_page_id?: string;
  readonly title?: string;
}

/** Copies the properties and the content of a page to a new page. The upstream has no request that copies a page. */
export async function duplicatePage(input: DuplicateInput, send: Send): Promise<Json> {
  const { page_id, parent_page_id, title } = input;
  const call = { ...versionHeader(DATA_SOURCE_VERSION) };
  const path = `/v1/pages/${segment(page_id, 'page_id')}`;
  const source = objectIn(await send({ method: 'GET', path, ...call }), 'a page');
  const parent = parent_page_id === undefined ? parentOf(source) : { page_id: parent_page_id };
  const content = objectIn(await send({ method: 'GET', path: `${path}/markdown`, ...call }), 'Markdown');
  const { markdown, removed } = withoutChildren(wholeMarkdown(content));
  const { properties, skipped } = copyProperties(source, { isRow: 'data_source_id' in parent });
  const body = withoutUndefined({
    parent,
    properties: { ...properties, ...(title && { title: { title: toRichText(title, 'title') } }) },
    icon: emojiOf(source),
    markdown: markdown.trim() === '' ? undefined : markdown,
  });
  const page = await send({ method: 'POST', path: '/v1/pages', ...call, body });
  return { page, not_copied: [...skipped, ...removed] };
}

function parentOf({ parent }: Json): Json {
  const { type, page_id, data_source_id } = isJsonObject(parent) ? parent : {};
  if (page_id !== undefined) return { type, page_id };
  if (data_source_id !== undefined) return { type, data_source_id };
  const problem =
    'is required, because the page to copy is at the top of the workspace or inside a block; set it to the page that gets the copy';
  throw invalidField('parent_page_id', 'required', problem);
}

const emojiOf = ({ icon }: Json): unknown =>
  isJsonObject(icon) && icon['type'] === 'emoji' ? icon : undefined;

function wholeMarkdown(content: Json): string {
  const { markdown, truncated } = content;
  if (typeof markdown !== 'string')
    throw new ServiceError(
      'upstream_failed',
      'The upstream returned no Markdown of the page, so nothing was copied. Retry the call.',
    );
  if (truncated === true || Buffer.byteLength(JSON.stringify(markdown)) > MAX_CONTENT_BYTES)
    throw invalidField('page_id', 'maxLength', `names a page that is too long to copy. ${COPY_BLOCKS}`);
  if (listIn(content, 'unknown_block_ids').length > 0)
    throw invalidField(
      'page_id',
      'content',
      `names a page with blocks that cannot be read as Markdown, so it was not copied. ${COPY_BLOCKS}`,
    );
  return markdown;
}

const CHILD = /^\s*<(page|database)\b.*<\/\1>\s*$/;
const FENCE = /^\s*```/;

/**
 * Removes child pages and databases from the Markdown, because the upstream would move them from the original into the
 * copy.
 */
function withoutChildren(markdown: string): { readonly markdown: string; readonly removed: string[] } {
  const removed: string[] = [];
  let isCode = false;
  const remaining = markdown.split('\n').filter((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || !CHILD.test(line)) return true;
    removed.push(cutText(line.trim(), 200));
    return false;
  });
  return { markdown: remaining.join('\n'), removed };
}
