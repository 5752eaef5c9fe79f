import { isFullComment, iteratePaginatedAPI } from '@notionhq/client';
import { countEach, type NotionOperation, text } from './operation.js';

export const comments: readonly NotionOperation[] = [
  {
    name: 'comments.create',
    call: (notion, id) =>
      notion.comments.create({ parent: { page_id: id('page') }, rich_text: text('Seen') }),
    gives: { object: 'comment' },
    saves: { comment: 'id', discussion: 'discussion_id' },
  },
  {
    name: 'comments.create, in a discussion',
    call: (notion, id) =>
      notion.comments.create({ discussion_id: id('discussion'), rich_text: text('Answered') }),
    gives: { object: 'comment' },
  },
  {
    name: 'comments.create, on a block',
    call: (notion, id) =>
      notion.comments.create({ parent: { block_id: id('toggle') }, rich_text: text('Here') }),
    gives: { parent: { type: 'block_id' } },
  },
  {
    name: 'comments.create, in Markdown',
    call: (notion, id) => notion.comments.create({ parent: { page_id: id('page') }, markdown: '**So**' }),
    gives: { object: 'comment' },
  },
  {
    name: 'comments.create, by a name of its own',
    call: (notion, id) =>
      notion.comments.create({
        parent: { page_id: id('page') },
        rich_text: text('Hi'),
        display_name: { type: 'custom', custom: { name: 'Robot' } },
      }),
    gives: { display_name: { type: 'custom', resolved_name: 'Robot' } },
  },
  {
    name: 'comments.list',
    call: (notion, id) => notion.comments.list({ block_id: id('page') }),
    gives: { type: 'comment' },
  },
  {
    name: 'comments.list, every page',
    call: (notion, id) =>
      countEach(iteratePaginatedAPI(notion.comments.list, { block_id: id('page'), page_size: 1 })),
    gives: { many: true },
  },
  {
    name: 'comments.retrieve',
    call: async (notion, id) => ({
      full: isFullComment(await notion.comments.retrieve({ comment_id: id('comment') })),
    }),
    gives: { full: true },
  },
  {
    name: 'comments.update',
    call: (notion, id) =>
      notion.comments.update({ comment_id: id('comment'), rich_text: text('Seen, twice') }),
    gives: { object: 'comment' },
  },
  {
    name: 'comments.delete',
    call: (notion, id) => notion.comments.delete({ comment_id: id('comment') }),
    gives: { object: 'comment' },
  },
  {
    name: 'comments.retrieve, deleted',
    call: (notion, id) => notion.comments.retrieve({ comment_id: id('comment') }),
    throws: { code: 'object_not_found' },
  },
];
