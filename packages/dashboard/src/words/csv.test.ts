import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('CSV quotes separators and escapes formulas', () => {
  expect(
    csvOf([
      ['identifier', 'link'],
      ['=1+1', 'a "b", c'],
      ['@sum', 'https://svc.example.com/connect/a'],
    ]),
  ).toBe(`identifier,link\r\n'=1+1,"a ""b"", c"\r\n'@sum,https://svc.example.com/connect/a\r\n`);
});
