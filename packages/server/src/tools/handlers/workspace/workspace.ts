import type { Handlers } from '../../../generated/handlers.js';
import { segment } from '../../segment.js';
import { appendBlocks } from './append.js';
import { toBlock, toTextContent } from './block.js';
import { blockText } from './block-text.js';
import { decodePropertyId, fetchWithSources } from './database.js';
import { given, listIn, objectIn } from './json.js';
import { createPage, withTitleKey } from './page.js';
import { toRichText } from './rich-text.js';
import { search, searchSort } from './search.js';
import { DATA_SOURCE_VERSION, versionHeader } from './version.js';

export const workspace: Pick<Handlers, Extract<keyof Handlers, `workspace_${string}`>> = {
  workspace_data_source_fetch: ({ database_id }, send) => fetchWithSources(database_id, send),

  workspace_database_insert_row: ({ database_id, ...page }, send) =>
    createPage(page, send, { parent: { type: 'database_id', database_id } }),

  workspace_data_source_insert_row: ({ data_source_id, ...page }, send) =>
    createPage(page, send, {
      parent: { type: 'data_source_id', data_source_id },
      version: DATA_SOURCE_VERSION,
    }),

  workspace_page_create: ({ database_id, parent_page_id, workspace_version, ...page }, send) =>
    createPage(page, send, {
      parent:
        database_id === undefined
          ? { type: 'page_id', page_id: parent_page_id }
          : { type: 'database_id', database_id },
      version: workspace_version,
    }),

  workspace_page_update: ({ page_id, properties, ...rest }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/pages/${segment(page_id, 'page_id')}`,
      body: given({ properties: properties && withTitleKey(properties), ...rest }),
    }),

  workspace_database_update: ({ database_id, title, description, properties }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/databases/${segment(database_id, 'database_id')}`,
      body: given({
        title: title === undefined ? undefined : toRichText(title, 'title'),
        description: description === undefined ? undefined : toRichText(description, 'description'),
        properties,
      }),
    }),

  // Without a cursor among the inputs there is one page of rows, so it is the largest.
  workspace_database_properties_query: ({ database_id, property_id = [] }, send) => {
    const ids = [property_id].flat().map(decodePropertyId);
    return send({
      method: 'POST',
      path: `/v1/databases/${segment(database_id, 'database_id')}/query`,
      ...(ids.length === 0 ? {} : { query: { filter_properties: ids } }),
      body: { page_size: 100 },
    });
  },

  workspace_blocks_append: ({ block_id, blocks }, send) =>
    appendBlocks(
      blocks.map((block, index) => toBlock(block, `blocks[${index}]`)),
      send,
      block_id,
    ),

  workspace_block_update: ({ block_id, ...content }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/blocks/${segment(block_id, 'block_id')}`,
      body: toTextContent(content, ''),
    }),

  workspace_block_children_list: async ({ block_id, ...paging }, send) => {
    const path = `/v1/blocks/${segment(block_id, 'block_id')}/children`;
    const list = objectIn(await send({ method: 'GET', path, query: paging }), 'a list of blocks');
    const results = listIn(list, 'results').map((block) => ({
      ...objectIn(block, 'a list of blocks'),
      text: blockText(block),
    }));
    return { ...list, results };
  },

  workspace_comment_create: ({ comment, parent, discussion_id, workspace_version }, send) =>
    send({
      method: 'POST',
      path: '/v1/comments',
      ...versionHeader(workspace_version),
      body: given({ parent, discussion_id, rich_text: comment.rich_text }),
    }),

  workspace_content_search: (input, send) => search(input, send),

  workspace_pages_search: ({ sort_direction, sort_timestamp, ...input }, send) =>
    search(input, send, {
      filter: { property: 'object', value: 'page' },
      sort: searchSort(sort_direction, sort_timestamp),
    }),
};
