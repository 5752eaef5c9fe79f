/** Format of a string in requests: the pattern for its JSON Schema, and the error message for a mismatch. */
interface TextForm {
  readonly pattern: string;
  readonly words: string;
}

/** String formats that request schemas share. */
export const TEXT_FORMS = {
  name: {
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    words: 'must have at most 64 lowercase letters, digits, "-" and "_", and begin with a letter or digit',
  },
  visible: {
    pattern: '^[\\x21-\\x7e]+$',
    words: 'must contain only visible ASCII characters, without spaces',
  },
  printable: {
    pattern: '^[\\x20-\\x7e]+$',
    words: 'must contain only visible ASCII characters and spaces',
  },
  scope: {
    pattern: '^[!#-\\[\\]-~]+$',
    words: 'must contain only visible ASCII characters, without spaces, quotes and backslashes',
  },
  metadataKey: {
    pattern: '^[A-Za-z0-9_.-]{1,64}$',
    words: 'must have at most 64 letters, digits, "_", "." and "-"',
  },
  metadataEntry: {
    pattern: '^[A-Za-z0-9_.-]{1,64}:',
    words: 'must have the form key:value, such as plan:pro',
  },
  method: { pattern: '^[A-Z]{1,16}$', words: 'must be an HTTP method in capital letters, such as GET' },
  languages: {
    pattern: '^[A-Za-z0-9-]+( [A-Za-z0-9-]+)*$',
    words: 'must be language tags separated by spaces, such as de or "de en"',
  },
  eventType: {
    pattern: '^[a-z][a-z0-9]*\\.[a-z][a-z0-9_]*$',
    words: 'must be a type of event, such as account.deleted',
  },
  absolutePath: { pattern: '^/', words: 'must begin with "/"' },
} as const satisfies Readonly<Record<string, TextForm>>;

const WORDS = new Map<unknown, string>(
  Object.values(TEXT_FORMS).map(({ pattern, words }) => [pattern, words]),
);

/** Returns the error message for a pattern of `TEXT_FORMS`; `undefined` for any other pattern. */
export const wordsOfPattern = (pattern: unknown): string | undefined => WORDS.get(pattern);
