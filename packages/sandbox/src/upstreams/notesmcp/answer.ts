import type { Meeting } from './seed.js';

const NOTHING = 'I could not find anything about that in your meeting notes.';
const SHORT_WORD = 3;

/** What the service's language model would say: the lines of the summaries that share a word with the question, each cited. */
export function answer(question: string, meetings: readonly Meeting[]): string {
  const words = wordsOf(question);
  const found = meetings.flatMap((meeting) => {
    const lines = meeting.summary
      .split('\n')
      .filter((line) => line.startsWith('- ') && wordsOf(line).some((word) => words.includes(word)));
    return lines.length === 0 ? [] : [{ id: meeting.id, title: meeting.title, lines }];
  });
  if (found.length === 0) return NOTHING;
  return found
    .map(({ id, title, lines }, index) => paragraph(title, lines, citation(index, id)))
    .join('\n\n');
}

function paragraph(title: string, lines: readonly string[], mark: string): string {
  return [`**${title}**`, ...lines.map((line) => `${line} ${mark}`)].join('\n');
}

const citation = (index: number, id: string) => `[[${index}]](https://notes.granola.ai/d/${id})`;

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length > SHORT_WORD);
}
