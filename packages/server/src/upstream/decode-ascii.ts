const ESCAPED_ASCII = /%([0-7][0-9a-f])/gi;

/** As a lenient reader takes it: strict decoding stops at what is no escape of UTF-8 anywhere in a text, and leaves all of it. */
export const decodeAscii = (text: string): string =>
  text.replace(ESCAPED_ASCII, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
