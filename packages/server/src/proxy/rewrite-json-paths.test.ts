import { describe, expect, test } from 'vitest';
import type { Edit } from '../http/edit.js';
import { editEvents } from './edit-events.js';
import { rewriteJsonPaths } from './rewrite-json-paths.js';

const PATHS = new Set([
  'result.content.*.uri',
  'result.content.*.resource.uri',
  'params.uri',
  'params.given.**',
  'params.completionArguments.value',
]);
const lead = (value: string): string | undefined =>
  value.startsWith('https://own.example/') ? value.replace('https://own.example', 'http://svc/p') : undefined;
/** Writes every character of a JSON string as a `\\u` escape, which JSON allows. */
const escaped = (text: string): string =>
  `"${Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
const json = () => rewriteJsonPaths(PATHS, lead);

const passed = (edit: Edit, chunks: readonly Buffer[]): string =>
  Buffer.concat([...chunks.map(edit.take), edit.rest()]).toString('utf8');

/**
 * Checks that the edited body equals `wanted`: for the whole body, for every cut into two chunks, and for chunks of one
 * byte.
 */
function expectPassed(create: () => Edit, given: string, wanted: string): void {
  const bytes = Buffer.from(given);
  expect(passed(create(), [bytes])).toBe(wanted);
  for (let at = 1; at < bytes.length; at += 1)
    expect(passed(create(), [bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toBe(wanted);
  expect(
    passed(
      create(),
      Array.from(bytes, (byte) => Buffer.from([byte])),
    ),
  ).toBe(wanted);
}

const OWN = '"https://own.example/a"';
const LED = '"http://svc/p/a"';
const content = (item: string) => `{"jsonrpc":"2.0","id":1,"result":{"content":[${item}]}}`;
const given = (value: string) => `{"params":{"name":${OWN},"given":${value},"after":${OWN}},"id":${OWN}}`;
/** Wraps `text` in `depth` nested JSON arrays. */
const nested = (depth: number, text: string) => `${'['.repeat(depth)}${text}${']'.repeat(depth)}`;

const CASES = [
  { title: 'a link', given: content(`{"type":"resource_link","uri":${OWN}}`) },
  { title: 'a link before its type', given: content(`{"uri":${OWN},"type":"resource_link"}`) },
  {
    title: 'a link in a resource',
    given: content(`{"type":"resource","resource":{"text":"x","uri":${OWN}}}`),
  },
  {
    title: 'a link after other content',
    given: content(`{"type":"text","text":"ü \\u00e9 🎈"},[["uri"]],{"uri":${OWN}}`),
  },
  { title: 'a link after an escaped quotation mark', given: content(`{"a":"\\"","b":"\\\\","uri":${OWN}}`) },
  { title: 'two links', given: content(`{"uri":${OWN}},{"uri":"file:///x"},{"uri":${OWN}}`) },
  { title: 'spaces and lines', given: ` {\n"result" :\t{ "content":\r\n[ { "uri"\n: ${OWN} } ] } } ` },
  { title: 'the link of a request', given: `{"method":"x","params":{"_meta":{"uri":1},"uri":${OWN}}}` },
  { title: 'an escaped property name', given: content(`{"\\u0075ri":${OWN}}`) },
  {
    title: 'names that are escapes alone',
    given: `{${escaped('params')}:{${escaped('completionArguments')}:{${escaped('value')}:${OWN}}}}`,
  },
  {
    title: 'an escaped link',
    given: content('{"uri":"https:\\/\\/own.example\\/a\\u0026b"}'),
    wanted: content('{"uri":"http://svc/p/a&b"}'),
  },
  ...[
    { title: 'in an object', value: `{"a":${OWN},"b":1,"c":"x","d":${OWN}}` },
    { title: 'in lists and objects', value: `[[],{"a":[{"b":{"c":[1,${OWN},null]}}]},{},${OWN}]` },
    { title: 'after a special property name', value: `{"a.b":{"*":${OWN}},"**":${OWN},"":[${OWN}]}` },
    { title: 'after a long name', value: `{"${'n'.repeat(80)}":{"a":${OWN}}}` },
    { title: 'at the maximum depth', value: nested(198, OWN) },
    { title: 'next to deeper data', value: `[${nested(300, '1')},{"a":${OWN}}]` },
  ].map(({ title, value }) => ({
    title: `every link under a path, ${title}`,
    given: given(value),
    wanted: given(value.replaceAll(OWN, LED)),
  })),
];
const LEFT = [
  { title: 'property names that look like links', given: given(`{${OWN}:{${OWN}:1}}`) },
  {
    title: 'strings that contain more than a link',
    given: given(`["see ${OWN.slice(1)},[" https://own.example/a"]]`),
  },
  { title: 'a string instead of an object', given: given(OWN) },
  { title: 'data beyond the maximum depth', given: given(nested(199, OWN)) },
  {
    title: 'a property name that looks like a path',
    given: `{"params.given":{"a":${OWN}},"params.uri":${OWN}}`,
  },
  {
    title: 'a property name that looks like a wildcard',
    given: content('1').replace('[1]', `{"*":{"uri":${OWN}}}`),
  },
  { title: 'a link of another host', given: content('{"uri":"https://other.example/a"}') },
  {
    title: 'a link with another scheme',
    given: content('{"uri":"file:///etc/hosts"},{"uri":"ui://own.example/a"}'),
  },
  {
    title: 'values that are not strings',
    given: content('{"uri":null},{"uri":7},{"uri":["x"]},{"uri":{"uri":"x"}}'),
  },
  { title: 'similar property names', given: content(`{"url":${OWN},"xuri":${OWN},"uri ":${OWN},"uri":1}`) },
  { title: 'deeper data', given: content(`{"type":"text","_meta":{"uri":${OWN}},"a":[{"uri":${OWN}}]}`) },
  {
    title: 'structured content',
    given: `{"result":{"structuredContent":{"uri":${OWN},"content":[{"uri":${OWN}}]},"uri":${OWN}}}`,
  },
  { title: 'arguments of a tool', given: `{"params":{"name":"t","arguments":{"uri":${OWN}}}}` },
  {
    title: 'a long property name',
    given: `{"result":{"content":1,"${'n'.repeat(80)}":[{"uri":${OWN}}]}}`,
  },
  {
    title: 'a string that contains JSON',
    given: content('{"text":"{\\"uri\\":\\"https://own.example/a\\"}"}'),
  },
  { title: 'values that equal the property name', given: content(`"uri",${OWN},{"a":"uri","b":${OWN}}`) },
  { title: 'a document in a list', given: `[${content(`{"uri":${OWN}}`)}]` },
  { title: 'deep nesting', given: `${'{"result":'.repeat(40)}{"content":[{"uri":${OWN}}]}${'}'.repeat(40)}` },
  { title: 'a truncated document', given: '{"result":{"content":[{"uri":"https://own.exam' },
  { title: 'a document that ends in a property name', given: '{"result":{"content":[{"ur' },
  { title: 'invalid JSON', given: `]}}"uri":${OWN} : "uri" \\ ${OWN}` },
];

describe('a streamed JSON document', () => {
  test.each(CASES)('has its links rewritten: $title', ({ given, wanted = given.replaceAll(OWN, LED) }) => {
    expect(wanted).not.toBe(given);
    expectPassed(json, given, wanted);
  });

  test.each(LEFT)('keeps every byte of $title', ({ given }) => expectPassed(json, given, given));

  test('has a link rewritten whose characters are all escaped', () => {
    const link = `https://own.example/${'a'.repeat(8000)}`;
    const wanted = content(`{"uri":"${lead(link)}"}`);
    expect(passed(json(), [Buffer.from(content(`{"uri":${escaped(link)}}`))])).toBe(wanted);
  });

  test('buffers at most a property name or a link', () => {
    const long = `https://own.example/${'a'.repeat(120_000)}`;
    const given = content(`{"uri":"${long}"},{"${'n'.repeat(5000)}":1,"uri":${OWN}}`);
    const edit = json();
    let sent = 0;
    let removed = 0;
    for (const part of given.match(/.{1,100}/gs) ?? []) {
      removed += edit.take(Buffer.from(part)).length;
      sent += part.length;
      expect(sent - removed).toBeLessThanOrEqual(99_000);
    }
    expect(passed(json(), [Buffer.from(given)])).toBe(given.replace(OWN, LED));
  });
});

describe('a stream of server-sent events', () => {
  const document = content(`{"type":"resource_link","uri":${OWN}}`);
  const stream = (data: string, end: string) =>
    [`: hello`, '', 'event: message', 'id: "uri"', `data: ${data}`, '', `data:${data}`, '', ''].join(end);

  test.each(['\n', '\r\n', '\r'])('has the links of each event rewritten with the line break %j', (end) => {
    expectPassed(() => editEvents(json), stream(document, end), stream(document.replace(OWN, LED), end));
  });

  test.each(['\n', '\r\n', '\r'])('joins the data lines of one event with the line break %j', (end) => {
    const linesOf = (link: string) => [
      ...['data: {"result":{"content":[', 'data: {"uri":', `data:${link}}]}}`, ''],
      ...[`data: {"uri":${OWN}}`, '', ''],
    ];
    expectPassed(() => editEvents(json), linesOf(OWN).join(end), linesOf(LED).join(end));
  });

  test.each([
    {
      title: 'a truncated event',
      before: 'data: {"result":{"content":[{"uri":"https://own.example/a\n\n',
    },
    { title: 'an event that is not JSON', before: 'event: endpoint\ndata: /messages?"uri\n\n' },
    { title: 'lines without data', before: `dat: {"uri":${OWN}}\ndatax\nretry: 1\n\n\n` },
  ])('continues after $title', ({ before }) => {
    const given = `${before}data: ${document}\n\n`;
    expectPassed(() => editEvents(json), given, before + given.slice(before.length).replace(OWN, LED));
  });
});
