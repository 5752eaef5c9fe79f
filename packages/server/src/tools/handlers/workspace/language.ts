// Maps common names of programming languages, which the upstream refuses, to the names that the upstream accepts.
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['asm', 'assembly'],
  ['bat', 'shell'],
  ['clj', 'clojure'],
  ['cpp', 'c++'],
  ['cs', 'c#'],
  ['csharp', 'c#'],
  ['dockerfile', 'docker'],
  ['erl', 'erlang'],
  ['ex', 'elixir'],
  ['fs', 'f#'],
  ['fsharp', 'f#'],
  ['golang', 'go'],
  ['gql', 'graphql'],
  ['hs', 'haskell'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['kt', 'kotlin'],
  ['make', 'makefile'],
  ['md', 'markdown'],
  ['objc', 'objective-c'],
  ['pl', 'perl'],
  ['plain', 'plain text'],
  ['plaintext', 'plain text'],
  ['proto', 'protobuf'],
  ['ps1', 'powershell'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'shell'],
  ['tex', 'latex'],
  ['text', 'plain text'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['txt', 'plain text'],
  ['vb', 'visual basic'],
  ['wasm', 'webassembly'],
  ['yml', 'yaml'],
  ['zsh', 'shell'],
]);

/**
 * Converts the name of a programming language to the upstream's name. Names without an alias are converted to lower
 * case.
 */
export function languageOf(name: string): string {
  const lower = name.trim().toLowerCase();
  return ALIASES.get(lower) ?? lower;
}
