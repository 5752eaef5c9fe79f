import { loadCatalog } from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import * as consentTexts from '../agents/consent-texts.js';
import * as signInTexts from '../agents/sign-in-problem-texts.js';
import * as approveTexts from './approve-texts.js';
import * as texts from './connect-texts.js';
import * as endingTexts from './ending-texts.js';

const { LANGUAGES } = texts;
type Text = texts.Text;

function isText(value: object): value is Text {
  return LANGUAGES.every((language) => language in value);
}

/** Lists all translated texts below an exported value of a file of texts, each with its path. */
function textsIn(value: unknown, path: string): [string, Text][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (isText(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, `${path}.${name}`));
}

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const all = Object.entries({
  ...texts,
  ...endingTexts,
  ...approveTexts,
  ...consentTexts,
  ...signInTexts,
}).flatMap(([name, value]) => textsIn(value, name));

test('the connect pages have more than 60 texts', () => {
  expect(all.length).toBeGreaterThan(60);
});

test.each(all)('%s is translated into each language with the same placeholders', (_path, text) => {
  const said = LANGUAGES.map((language) => text[language]);
  expect(new Set(said).size).toBe(LANGUAGES.length);
  for (const each of said) {
    expect(each).not.toBe('');
    expect(new Set(namesIn(each))).toEqual(new Set(namesIn(text.en)));
  }
});

test('the texts of a problem page have no placeholders except for another account', () => {
  const withName = Object.entries(endingTexts.problemTexts).filter(
    ([, { title, what }]) => namesIn(title.en + what.en).length > 0,
  );
  expect(withName.map(([name]) => name)).toEqual(['otherPerson']);
  const { otherPerson, ...ofSignIns } = signInTexts.signInProblemTexts;
  for (const { title, what } of Object.values(ofSignIns)) expect(namesIn(title.en + what.en)).toEqual([]);
  for (const { withoutName: unnamed } of Object.values(endingTexts.nextTexts))
    expect(namesIn(unnamed.en)).toEqual([]);
});

describe('a built-in connector with OAuth', () => {
  const connectors = [...loadCatalog().connectors.values()].filter(({ auth }) =>
    ['oauth2', 'mcp_oauth'].includes(auth.type),
  );

  test.each(connectors)('describes its consent and scopes in each language: $id', ({ consent, auth }) => {
    const scopes = 'scopes' in auth ? auth.scopes.map((scope) => scope.consent) : [];
    for (const each of [consent, ...scopes]) {
      for (const language of LANGUAGES) expect(each?.[language]).toMatch(/^\p{Lu}.*[^.]$/u);
    }
  });
});
