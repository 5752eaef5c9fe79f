import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { insertBlocks } from './insert-blocks.js';
import { pageById } from './lookup.js';
import { blocksOf, markdownOf } from './markdown.js';
import { boolean, list, object, tagged, text } from './shape.js';
import type { PageRecord } from './state.js';
import { assertEditable } from './trash.js';

export function addPageMarkdown(endpoints: Endpoints): void {
  endpoints.add('GET', '/pages/:page_id/markdown', (call) =>
    present(pageById(call.state, call.id('page_id')), call),
  );
  endpoints.add('PATCH', '/pages/:page_id/markdown', updateMarkdown);
}

function render({ children }: PageRecord, { state }: Call) {
  const lines: string[] = [];
  const unknown: string[] = [];
  for (const id of children) {
    const block = state.blocks.get(id);
    if (block?.inTrash === true) continue;
    const line = block && markdownOf(block);
    if (line === undefined) unknown.push(id);
    else lines.push(line);
  }
  return { markdown: lines.join('\n'), unknown };
}

function present(page: PageRecord, call: Call) {
  const { markdown, unknown } = render(page, call);
  return {
    object: 'page_markdown',
    id: page.id,
    markdown,
    truncated: false,
    unknown_block_ids: unknown,
    request_id: call.requestId,
  };
}

const written = text({ max: 200_000 });
const position = tagged({ start: object({}), end: object({}) });
const commands = tagged(
  {
    insert_content: object(
      {
        content: written,
        after: text(),
        position: (value, path) =>
          isObject(value) && (value.type === 'start' || value.type === 'end') ? [] : position(value, path),
      },
      ['content'],
    ),
    replace_content: object({ new_str: written, allow_deleting_content: boolean }, ['new_str']),
    replace_content_range: object(
      { content: written, content_range: text({ min: 1 }), allow_deleting_content: boolean },
      ['content', 'content_range'],
    ),
    update_content: object(
      {
        content_updates: list(
          object({ old_str: text({ min: 1 }), new_str: text(), replace_all_matches: boolean }, [
            'old_str',
            'new_str',
          ]),
          { min: 1, max: 100 },
        ),
        allow_deleting_content: boolean,
      },
      ['content_updates'],
    ),
  },
  { allow_async: boolean },
);

type Command = Readonly<Record<string, unknown>>;

function updateMarkdown(call: Call): unknown {
  call.checkAs(commands);
  const { body, state } = call;
  const page = pageById(state, call.id('page_id'));
  assertEditable(state, page);
  const type = String(body.type);
  const command: Command = isObject(body[type]) ? body[type] : {};
  if (type === 'insert_content') insert(page, call, command);
  else replaceAll(page, call, { content: edited(render(page, call).markdown, type, command), command });
  state.touch(page, call.bot);
  return present(page, call);
}

function edited(markdown: string, type: string, command: Command): string {
  if (type === 'replace_content') return String(command.new_str);
  if (type === 'replace_content_range')
    return replaced(markdown, {
      old: rangeIn(markdown, String(command.content_range)),
      with: String(command.content),
    });
  const updates = Array.isArray(command.content_updates) ? command.content_updates.filter(isObject) : [];
  return updates.reduce<string>(
    (text, { old_str: old, new_str: fresh, replace_all_matches: isAll }) =>
      isAll === true
        ? known(text, String(old)).replaceAll(String(old), () => String(fresh))
        : replaced(text, { old: String(old), with: String(fresh) }),
    markdown,
  );
}

// Finds a range of Markdown by its first and last words, in the form `start...end`.
function rangeIn(markdown: string, range: string): string {
  const [first = '', last = first] = range.split('...');
  const from = known(markdown, first).indexOf(first);
  const end = known(markdown.slice(from), last).indexOf(last) + last.length;
  return markdown.slice(from, from + end);
}

function known(markdown: string, text: string): string {
  if (markdown.includes(text)) return markdown;
  throw invalid(`Could not find the text to replace in the page: "${text.slice(0, 100)}".`);
}

function replaced(
  markdown: string,
  { old, with: fresh }: { readonly old: string; readonly with: string },
): string {
  const parts = known(markdown, old).split(old);
  if (parts.length > 2)
    throw invalid(
      `The text to replace was found ${parts.length - 1} times. Give a longer text, or set "replace_all_matches" to true.`,
    );
  return parts.join(fresh);
}

function insert(page: PageRecord, call: Call, { content, after, position: where }: Command): void {
  const blocks = insertBlocks(call.state, blocksOf(String(content)), {
    parent: { type: 'page_id', id: page.id },
    by: call.bot,
  });
  const ids = blocks.map(({ id }) => id);
  page.children.splice(indexFor(page, call, { after, where }), 0, ...ids);
}

function indexFor(
  { children }: PageRecord,
  { state }: Call,
  { after, where }: { readonly after: unknown; readonly where: unknown },
): number {
  if (isObject(where) && where.type === 'start') return 0;
  if (typeof after !== 'string') return children.length;
  const index = children.findIndex((id) => {
    const block = state.blocks.get(id);
    return block !== undefined && (markdownOf(block) ?? '').includes(after);
  });
  if (index === -1)
    throw invalid(`Could not find the text to insert after in the page: "${after.slice(0, 100)}".`);
  return index + 1;
}

function replaceAll(
  page: PageRecord,
  call: Call,
  { content, command }: { readonly content: string; readonly command: Command },
): void {
  const { state } = call;
  const childPages = page.children.filter((id) => !state.blocks.has(id));
  if (childPages.length > 0 && command.allow_deleting_content !== true)
    throw invalid(
      'The request would delete child pages or databases. To allow the deletion, set "allow_deleting_content" to true.',
    );
  for (const id of page.children) {
    const child = state.blocks.get(id) ?? state.pages.get(id) ?? state.databases.get(id);
    if (child) child.inTrash = true;
  }
  page.children = [];
  insert(page, call, { content });
}
