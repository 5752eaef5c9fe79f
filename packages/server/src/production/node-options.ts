// Only a space ends a word there; in quotes it is kept, and a backslash keeps what follows it.
const WORD = /(?:[^ "]|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/gs;
const QUOTED = /"((?:[^"\\]|\\.|\\$)*)(?:"|$)/gs;

const wordsOf = (text: string): readonly string[] =>
  (text.match(WORD) ?? []).map((word) =>
    word.replace(QUOTED, (_, inside: string) => inside.replace(/\\(.)/gs, '$1')),
  );

const nameOf = (option: string): string => option.replace(/=.*/s, '').replaceAll('_', '-');

/** The options of a command line of Node.js and of a NODE_OPTIONS, by the names that Node.js itself takes them for. */
export const optionNames = (commandLine: readonly string[], nodeOptions: string): readonly string[] =>
  [...commandLine, ...wordsOf(nodeOptions)].map(nameOf);
