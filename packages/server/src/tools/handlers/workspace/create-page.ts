import { isJsonObject } from '@svc/catalog';
import { invalidField } from '../../../errors.js';
import type { Send } from '../../handler.js';
import { partialFailure } from '../../partial-failure.js';
import { idIn, type Json, withoutUndefined } from '../json.js';
import { appendBatches, goOn } from './append.js';
import { type ContentBlock, toContentBlock } from './block.js';
import { splitBlocks } from './split-blocks.js';
import { versionHeader } from './version.js';

export interface NewPage {
  readonly properties?: Json;
  readonly child_blocks?: readonly ContentBlock[];
  readonly icon?: unknown;
  readonly cover?: unknown;
}

/** Creates a page. Content blocks that exceed the upstream's limits of one request are appended by further requests. */
export async function createPage(
  page: NewPage,
  send: Send,
  { parent, version }: { parent: Json; version?: string | undefined },
): Promise<unknown> {
  const blocks = page.child_blocks?.map((block, index) => toContentBlock(block, `child_blocks[${index}]`));
  const values = withoutUndefined({
    parent,
    properties: withTitleKey(page.properties ?? {}),
    icon: page.icon,
    cover: page.cover,
  });
  const [first = [], ...rest] = splitBlocks(blocks ?? [], { field: 'child_blocks', body: values });
  const body = blocks === undefined ? values : { ...values, children: first };
  const created = await send({ method: 'POST', path: '/v1/pages', ...versionHeader(version), body });
  if (rest.length === 0) return created;

  const pageId = idIn(created, 'a page');
  const total = blocks?.length;
  const stopped = (error: unknown, more: number) => {
    const appended = first.length + more;
    const done = `The page ${pageId} was created with ${appended} of ${total} blocks`;
    return partialFailure(error, goOn(done, pageId), { pageId, appended, total });
  };
  await appendBatches(rest, send, { blockId: pageId, version, stopped });
  return created;
}

/** Renames the key of the title property to "title", because every database accepts this id for its title column. */
export function withTitleKey(properties: Json): Json {
  const [name, ...others] = Object.keys(properties).filter((key) => isTitle(properties[key]));
  if (name === undefined || (name === 'title' && others.length === 0)) return properties;
  if (others.length > 0 || Object.hasOwn(properties, 'title')) {
    throw invalidField('properties', 'title', 'must contain the title once, under the key "title"');
  }
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key === name ? 'title' : key, value]),
  );
}

const isTitle = (value: unknown) => isJsonObject(value) && Object.hasOwn(value, 'title');
