const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON_NEXT = /\s*:/y;
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Returns the index of the quote that ends a JSON string, searching from an index inside the string. Returns the
 * length of the text if the quote is missing.
 */
export function endOfString(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}

/**
 * Checks whether an object key in JSON text contains an escape. Searches for backslashes, because valid JSON has them
 * only in strings.
 */
function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    at = endOfString(text, at) + 1;
    COLON_NEXT.lastIndex = at;
    if (COLON_NEXT.test(text)) return true;
  }
  return false;
}

/** Creates a recursive JSON parser for a text. Deep nesting overflows the call stack, so the caller must limit it. */
function createReader(text: string) {
  let at = 0;

  function fail(): never {
    throw new SyntaxError('The text is not valid JSON.');
  }

  function skip(): string {
    SPACE.lastIndex = at;
    SPACE.test(text);
    at = SPACE.lastIndex;
    return text.charAt(at);
  }

  function expectNext(character: string): void {
    if (skip() !== character) fail();
    at += 1;
  }

  /** Skips whitespace. If the character follows, moves past it and returns true, otherwise returns false. */
  function takes(character: string): boolean {
    const isNext = skip() === character;
    if (isNext) at += 1;
    return isNext;
  }

  function readString(): string {
    if (skip() !== '"') fail();
    const end = endOfString(text, at + 1) + 1;
    const value: string = JSON.parse(text.slice(at, end));
    at = end;
    return value;
  }

  function readScalar(): unknown {
    SCALAR.lastIndex = at;
    const scalar = SCALAR.exec(text)?.[0] ?? fail();
    at += scalar.length;
    return JSON.parse(scalar);
  }

  function readObject(): object {
    const object = {};
    at += 1;
    if (takes('}')) return object;
    do {
      const key = readString();
      expectNext(':');
      // Defines the property, because an assignment to `__proto__` would set the object's prototype.
      Object.defineProperty(object, key, {
        value: readValue(),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    } while (takes(','));
    expectNext('}');
    return object;
  }

  function readArray(): unknown[] {
    const items: unknown[] = [];
    at += 1;
    if (takes(']')) return items;
    do items.push(readValue());
    while (takes(','));
    expectNext(']');
    return items;
  }

  function readValue(): unknown {
    const first = skip();
    if (first === '{') return readObject();
    if (first === '[') return readArray();
    return first === '"' ? readString() : readScalar();
  }

  return function read(): unknown {
    const value = readValue();
    return skip() === '' ? value : fail();
  };
}

/**
 * Parses JSON from untrusted sources. Throws SyntaxError for invalid JSON. Text with escaped keys does not use
 * `JSON.parse`, because Node.js 24.15 to 26.5 may misread the keys (nodejs/node#63785).
 */
export const parseJson = (text: string): unknown =>
  hasEscapedKey(text) ? createReader(text)() : JSON.parse(text);
