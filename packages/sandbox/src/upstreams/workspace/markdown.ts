import { plainText, type RichText } from './rich-text.js';
import type { BlockRecord, Content } from './state.js';

type Item = Record<string, unknown>;

const INLINE = /(\*\*[^*\n]+\*\*|\*[^*\n]+\*|`[^`\n]+`)/;

export function inlineOf(line: string): Item[] {
  const parts = line.split(INLINE).filter((part) => part !== '');
  return parts.map((part) => {
    if (part.startsWith('**') && part.length > 4) return marked(part.slice(2, -2), 'bold');
    if (part.startsWith('*') && part.length > 2) return marked(part.slice(1, -1), 'italic');
    if (part.startsWith('`') && part.length > 2) return marked(part.slice(1, -1), 'code');
    return { text: { content: part } };
  });
}

const marked = (content: string, how: string): Item => ({ text: { content }, annotations: { [how]: true } });

const LINES: readonly (readonly [pattern: RegExp, type: string, extra?: Content])[] = [
  [/^### (.+)$/, 'heading_3'],
  [/^## (.+)$/, 'heading_2'],
  [/^# (.+)$/, 'heading_1'],
  [/^- \[x\] (.+)$/, 'to_do', { checked: true }],
  [/^- \[ \] (.+)$/, 'to_do', { checked: false }],
  [/^[-*] (.+)$/, 'bulleted_list_item'],
  [/^\d{1,9}\. (.+)$/, 'numbered_list_item'],
  [/^> (.+)$/, 'quote'],
];

function blockOf(line: string): Item {
  if (line === '---') return { divider: {} };
  for (const [pattern, type, extra] of LINES) {
    const content = pattern.exec(line)?.[1];
    if (content !== undefined) return { [type]: { rich_text: inlineOf(content), ...extra } };
  }
  return { paragraph: { rich_text: inlineOf(line) } };
}

export function blocksOf(markdown: string): Item[] {
  const blocks: Item[] = [];
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trimEnd();
    if (line === '') continue;
    if (!line.startsWith('```')) {
      blocks.push(blockOf(line));
      continue;
    }
    const end = lines.indexOf('```', index + 1);
    const last = end === -1 ? lines.length : end;
    const content = lines.slice(index + 1, last).join('\n');
    const language = LANGUAGES[line.slice(3)] ?? 'plain text';
    blocks.push({ code: { rich_text: [{ text: { content } }], language } });
    index = last;
  }
  return blocks;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'bash',
  css: 'css',
  html: 'html',
  javascript: 'javascript',
  js: 'javascript',
  json: 'json',
  python: 'python',
  ts: 'typescript',
  typescript: 'typescript',
};

const BEFORE: Readonly<Record<string, string>> = {
  paragraph: '',
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  bulleted_list_item: '- ',
  numbered_list_item: '1. ',
  quote: '> ',
};

const richTextOf = ({ content }: BlockRecord): RichText[] =>
  Array.isArray(content.rich_text) ? content.rich_text : [];

function inlineMarkdown(items: readonly RichText[]): string {
  return items
    .map(({ plain_text: text, annotations }) => {
      if (annotations.bold) return `**${text}**`;
      if (annotations.italic) return `*${text}*`;
      return annotations.code ? `\`${text}\`` : text;
    })
    .join('');
}

/** Converts a block to Markdown. Returns `undefined` for a block type that Markdown cannot express. */
export function markdownOf(block: BlockRecord): string | undefined {
  const { type, content } = block;
  if (type === 'divider') return '---';
  if (type === 'code') return `\`\`\`${content.language}\n${plainText(richTextOf(block))}\n\`\`\``;
  const text = inlineMarkdown(richTextOf(block));
  if (type === 'to_do') return `- [${content.checked === true ? 'x' : ' '}] ${text}`;
  const before = BEFORE[type];
  return before === undefined ? undefined : before + text;
}
