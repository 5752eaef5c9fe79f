import { describe, expect, test } from 'vitest';
import { editEvents } from './edit-events.js';
import { type Edit, editJson } from './edit-json.js';

const PLACES = new Set([
  'result.content.*.uri',
  'result.content.*.resource.uri',
  'params.uri',
  'params.given.**',
]);
const lead = (value: string): string | undefined =>
  value.startsWith('https://own.example/') ? value.replace('https://own.example', 'http://svc/p') : undefined;
const json = () => editJson(PLACES, lead);

const passed = (edit: Edit, chunks: readonly Buffer[]): string =>
  Buffer.concat([...chunks.map(edit.take), edit.rest()]).toString('utf8');

/** Checks the result for the whole body, for every cut into two chunks, and for chunks of one byte. */
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
  { title: 'one before its type', given: content(`{"uri":${OWN},"type":"resource_link"}`) },
  { title: 'one in a resource', given: content(`{"type":"resource","resource":{"text":"x","uri":${OWN}}}`) },
  {
    title: 'one after others',
    given: content(`{"type":"text","text":"ü \\u00e9 🎈"},[["uri"]],{"uri":${OWN}}`),
  },
  { title: 'one after an escaped quotation mark', given: content(`{"a":"\\"","b":"\\\\","uri":${OWN}}`) },
  { title: 'two of them', given: content(`{"uri":${OWN}},{"uri":"file:///x"},{"uri":${OWN}}`) },
  { title: 'spaces and lines', given: ` {\n"result" :\t{ "content":\r\n[ { "uri"\n: ${OWN} } ] } } ` },
  { title: 'another place', given: `{"method":"x","params":{"_meta":{"uri":1},"uri":${OWN}}}` },
  { title: 'escapes in the name', given: content(`{"\\u0075ri":${OWN}}`) },
  {
    title: 'escapes in the link',
    given: content('{"uri":"https:\\/\\/own.example\\/a\\u0026b"}'),
    wanted: content('{"uri":"http://svc/p/a&b"}'),
  },
  ...[
    { title: 'in an object', value: `{"a":${OWN},"b":1,"c":"x","d":${OWN}}` },
    { title: 'in lists and objects', value: `[[],{"a":[{"b":{"c":[1,${OWN},null]}}]},{},${OWN}]` },
    { title: 'after a name that is none elsewhere', value: `{"a.b":{"*":${OWN}},"**":${OWN},"":[${OWN}]}` },
    { title: 'after a long name', value: `{"${'n'.repeat(80)}":{"a":${OWN}}}` },
    { title: 'as deep as is looked', value: nested(198, OWN) },
    { title: 'beside what is deeper', value: `[${nested(300, '1')},{"a":${OWN}}]` },
  ].map(({ title, value }) => ({
    title: `all of a place, ${title}`,
    given: given(value),
    wanted: given(value.replaceAll(OWN, LED)),
  })),
];
const LEFT = [
  { title: 'names, however they look', given: given(`{${OWN}:{${OWN}:1}}`) },
  {
    title: 'texts that hold more than a link',
    given: given(`["see ${OWN.slice(1)},[" https://own.example/a"]]`),
  },
  { title: 'a text in the place of an object', given: given(OWN) },
  { title: 'what is deeper than is looked', given: given(nested(199, OWN)) },
  { title: 'a name that is spelt as a place', given: `{"params.given":{"a":${OWN}},"params.uri":${OWN}}` },
  { title: 'a name that is spelt as any', given: content('1').replace('[1]', `{"*":{"uri":${OWN}}}`) },
  { title: 'a link of another host', given: content('{"uri":"https://other.example/a"}') },
  { title: 'another scheme', given: content('{"uri":"file:///etc/hosts"},{"uri":"ui://own.example/a"}') },
  { title: 'what is no text', given: content('{"uri":null},{"uri":7},{"uri":["x"]},{"uri":{"uri":"x"}}') },
  { title: 'a member of another name', given: content(`{"url":${OWN},"xuri":${OWN},"uri ":${OWN},"uri":1}`) },
  { title: 'deeper data', given: content(`{"type":"text","_meta":{"uri":${OWN}},"a":[{"uri":${OWN}}]}`) },
  {
    title: 'structured content',
    given: `{"result":{"structuredContent":{"uri":${OWN},"content":[{"uri":${OWN}}]},"uri":${OWN}}}`,
  },
  { title: 'arguments of a tool', given: `{"params":{"name":"t","arguments":{"uri":${OWN}}}}` },
  {
    title: 'a member of a long name',
    given: `{"result":{"content":1,"${'n'.repeat(80)}":[{"uri":${OWN}}]}}`,
  },
  { title: 'a text that speaks of it', given: content('{"text":"{\\"uri\\":\\"https://own.example/a\\"}"}') },
  { title: 'values that are called so', given: content(`"uri",${OWN},{"a":"uri","b":${OWN}}`) },
  { title: 'a document in a list', given: `[${content(`{"uri":${OWN}}`)}]` },
  { title: 'depth', given: `${'{"result":'.repeat(40)}{"content":[{"uri":${OWN}}]}${'}'.repeat(40)}` },
  { title: 'a document that breaks off', given: '{"result":{"content":[{"uri":"https://own.exam' },
  { title: 'a document that ends in a name', given: '{"result":{"content":[{"ur' },
  { title: 'what is no JSON', given: `]}}"uri":${OWN} : "uri" \\ ${OWN}` },
];

describe('a JSON document on its way', () => {
  test.each(CASES)('has its links rewritten: $title', ({ given, wanted = given.replaceAll(OWN, LED) }) => {
    expect(wanted).not.toBe(given);
    expectPassed(json, given, wanted);
  });

  test.each(LEFT)('keeps every byte of $title', ({ given }) => expectPassed(json, given, given));

  test('holds back no more than a name or a link', () => {
    const long = `https://own.example/${'a'.repeat(40_000)}`;
    const given = content(`{"uri":"${long}"},{"${'n'.repeat(5000)}":1,"uri":${OWN}}`);
    const edit = json();
    let sent = 0;
    let gone = 0;
    for (const byte of Buffer.from(given)) {
      gone += edit.take(Buffer.from([byte])).length;
      sent += 1;
      expect(sent - gone).toBeLessThanOrEqual(17_000);
    }
    expect(passed(json(), [Buffer.from(given)])).toBe(given.replace(OWN, LED));
  });
});

describe('server-sent events on their way', () => {
  const document = content(`{"type":"resource_link","uri":${OWN}}`);
  const stream = (data: string, end: string) =>
    [`: hello`, '', 'event: message', 'id: "uri"', `data: ${data}`, '', `data:${data}`, '', ''].join(end);

  test.each(['\n', '\r\n', '\r'])(
    'have the links of each message rewritten, whatever ends a line: %j',
    (end) => {
      expectPassed(() => editEvents(json), stream(document, end), stream(document.replace(OWN, LED), end));
    },
  );

  test.each(['\n', '\r\n', '\r'])(
    'are read together where the data of one stand in several lines: %j',
    (end) => {
      const linesOf = (link: string) => [
        ...['data: {"result":{"content":[', 'data: {"uri":', `data:${link}}]}}`, ''],
        ...[`data: {"uri":${OWN}}`, '', ''],
      ];
      expectPassed(() => editEvents(json), linesOf(OWN).join(end), linesOf(LED).join(end));
    },
  );

  test.each([
    {
      title: 'an event that broke off',
      before: 'data: {"result":{"content":[{"uri":"https://own.example/a\n\n',
    },
    { title: 'an event that is no JSON', before: 'event: endpoint\ndata: /messages?"uri\n\n' },
    { title: 'lines that are no data', before: `dat: {"uri":${OWN}}\ndatax\nretry: 1\n\n\n` },
  ])('are not disturbed by $title', ({ before }) => {
    const given = `${before}data: ${document}\n\n`;
    expectPassed(() => editEvents(json), given, before + given.slice(before.length).replace(OWN, LED));
  });
});
