import { expect, test } from 'vitest';
import { missingForProduction } from './production.tsx';

test.each([
  { verifyUrl: 'https://app.example.com/verify', missing: [] },
  { verifyUrl: null, missing: [/Save a user verification URL/] },
  { verifyUrl: 'http://localhost:3000/verify', missing: [/public https URL/] },
  { verifyUrl: 'https://127.0.0.1/verify', missing: [/public https URL/] },
])(
  'the verify URL $verifyUrl leaves $missing.length conditions for production unmet',
  ({ verifyUrl, missing }) => {
    expect(missingForProduction({ verifyUrl })).toEqual(
      missing.map((sentence) => expect.stringMatching(sentence)),
    );
  },
);
