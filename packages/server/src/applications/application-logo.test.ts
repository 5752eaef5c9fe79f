import { describe, expect, test } from 'vitest';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { PNG, pngUrl, SVG, svgUrl } from '../../test/support/service/logos.js';
import { checkLogo, toLogo } from './application-logo.js';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';

test.each([
  { title: 'a PNG image', url: pngUrl(PNG) },
  { title: 'an SVG document', url: svgUrl(SVG) },
  {
    title: 'an SVG document with a declaration and a comment',
    url: svgUrl(`<?xml version="1.0"?><!-- x > y -->${SVG}`),
  },
  { title: 'an SVG document with a byte order mark', url: svgUrl(`\uFEFF${SVG}`) },
  {
    title: 'an SVG document with ">" in an attribute',
    url: svgUrl(`<svg ${XMLNS}><title id="a>b"/><g></g ></svg>\n`),
  },
  {
    title: 'an SVG document with a CDATA section',
    url: svgUrl(`<svg ${XMLNS}><style><![CDATA[a<b]]></style></svg>`),
  },
  { title: 'an SVG document with only a root element', url: svgUrl(`<svg ${XMLNS}/>`) },
])('accepts $title unchanged', ({ url }) => {
  expect(checkLogo(url)).toBe(url);
});

const entities = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';

test.each([
  { title: 'an https URL', url: 'https://acme.example.com/logo.png', says: /is not a data URL/ },
  { title: 'a script', url: 'javascript:alert(1)', says: /is not a data URL/ },
  { title: 'a page', url: 'data:text/html;base64,PGI+', says: /is not a data URL/ },
  { title: 'a GIF image', url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', says: /is not a data URL/ },
  { title: 'an SVG document not in base64', url: `data:image/svg+xml,${SVG}`, says: /is not a data URL/ },
  { title: 'extra parameters', url: pngUrl(PNG).replace(';', ';x=y;'), says: /is not a data URL/ },
  { title: 'capital letters', url: pngUrl(PNG).replace('data', 'DATA'), says: /is not a data URL/ },
  { title: 'invalid base64', url: 'data:image/png;base64,<b>', says: /is not valid base64/ },
  { title: 'a quote after the base64', url: `${pngUrl(PNG)}"onerror="`, says: /is not valid base64/ },
  {
    title: 'a line break in the base64',
    url: pngUrl(PNG).replace('AAAA', 'AA\nAA'),
    says: /valid base64|in base64/,
  },
  { title: 'an empty image', url: 'data:image/png;base64,', says: /is not a PNG/ },
  { title: 'a JPEG as PNG', url: 'data:image/png;base64,/9j/4AAQ', says: /is not a PNG/ },
  { title: 'an SVG document as PNG', url: pngUrl(Buffer.from(SVG)), says: /is not a PNG/ },
  { title: 'a PNG as SVG document', url: svgUrl(PNG), says: /is not a valid SVG document/ },
  { title: 'HTML as SVG document', url: svgUrl('<html></html>'), says: /is not a valid SVG document/ },
  {
    title: 'no namespace',
    url: svgUrl(SVG.replace(/ xmlns="[^"]*"/, '')),
    says: /is not a valid SVG document/,
  },
  { title: 'entities', url: svgUrl(entities + SVG), says: /no document type/ },
  { title: 'an open tag', url: svgUrl(`<svg ${XMLNS}><g></svg>`), says: /closed tags/ },
  { title: 'an open root', url: svgUrl(`<svg ${XMLNS}>`), says: /closed tags/ },
  { title: 'two roots', url: svgUrl(SVG + SVG), says: /closed tags/ },
  { title: 'an open quote', url: svgUrl(`<svg ${XMLNS}><g a="></g></svg>`), says: /closed tags/ },
  { title: 'an open comment', url: svgUrl(`${SVG}<!-- `), says: /closed tags/ },
  { title: 'a stray "<"', url: svgUrl(`<svg ${XMLNS}>1 < 2</svg>`), says: /closed tags/ },
  {
    title: 'invalid UTF-8',
    url: svgUrl(Buffer.from([0xff, 0xfe, 0x00])),
    says: /is not a valid SVG document/,
  },
])('refuses $title', ({ url, says }) => {
  expect(() => checkLogo(url)).toThrow(says);
  expect(() => checkLogo(url)).toThrow(/\. Send a PNG or SVG image of at most 24 kB/);
});

describe('the size of a logo', () => {
  const ofSize = (bytes: number) => toLogo(Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]));

  test('is at most 32 KiB as a data URL: 24,558 bytes of a file', () => {
    expect(ofSize(24_558)).toHaveLength(32 * 1024 - 2);
    expect(() => ofSize(24_561)).toThrow(/^The logo has more than 32768 characters as a data URL/);
  });

  test('does not slow down the check of a malformed document', TIMED, () => {
    for (const part of ['<', '<g', '<!--', '<g a="', '</g>', '<g>', '<?', '<![CDATA[']) {
      const started = performance.now();
      expect(() => checkLogo(svgUrl(`<svg ${XMLNS}>${part.repeat(24_000 / part.length)}`))).toThrow();
      expect(performance.now() - started).toBeLessThan(500);
    }
  });
});

test('a logo file becomes a data URL', () => {
  expect(toLogo(PNG)).toBe(pngUrl(PNG));
  expect(toLogo(Buffer.from(SVG))).toBe(svgUrl(SVG));
  expect(() => toLogo(Buffer.from('GIF89a'))).toThrow(/is not a valid SVG document/);
});
