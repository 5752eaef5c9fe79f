import { expect, test } from 'vitest';
import { methodName, typescriptLiteral } from './source.js';

test.each([
  { name: 'calendar_create_event', connector: 'calendar', method: 'createEvent' },
  { name: 'scrapermcp_call_actor', connector: 'scrapermcp', method: 'callActor' },
  { name: 'video_list_2', connector: 'video', method: 'list2' },
])('$name is the method $method of its package', ({ method, ...tool }) => {
  expect(methodName(tool)).toBe(method);
});

test.each([
  { value: {}, written: '{}' },
  { value: { a: 1, 'b-c': [true, null], d: 'e' }, written: "{ a: 1, 'b-c': [true, null], d: 'e' }" },
  { value: `it's "so"\n`, written: `'it\\'s "so"\\n'` },
  { value: { expression: '(1)' }, written: "{ expression: '(1)' }" },
  { value: JSON.parse('{"__proto__":1}'), written: "{ ['__proto__']: 1 }" },
  { value: 'C:\\new', written: "'C:\\\\new'" },
  {
    value: { text: 'a text that is long enough', more: ['to need', 'several lines'] },
    written: "{\n  text: 'a text that is long enough',\n  more: ['to need', 'several lines'],\n}",
  },
])('prints a value as the TypeScript literal $written', ({ value, written }) => {
  expect(typescriptLiteral(value, { width: 60 })).toBe(written);
  expect(new Function(`return ${written}`)()).toEqual(value);
});
