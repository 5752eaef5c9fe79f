import { expect, test } from 'vitest';
import { MAX_LOGO_BYTES, readLogo } from './settings.tsx';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const picture = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });

test('a logo becomes a data URL with the same bytes', async () => {
  const dataUrl = await readLogo(new Blob([SVG], { type: 'image/svg+xml' }));
  expect(dataUrl).toMatch(/^data:image\/svg\+xml;base64,/);
  expect(await (await fetch(dataUrl)).text()).toBe(SVG);
});

test('a logo of the maximum size is accepted, and a larger one is rejected with its size', async () => {
  const maximum = Math.floor((MAX_LOGO_BYTES - 'data:image/png;base64,'.length) / 4) * 3;
  expect((await readLogo(picture(maximum))).length).toBeLessThanOrEqual(MAX_LOGO_BYTES);
  await expect(readLogo(picture(maximum + 3))).rejects.toThrow('33 KiB');
});

test('a file of another type is rejected', async () => {
  await expect(readLogo(new Blob(['x'], { type: 'image/gif' }))).rejects.toThrow('not a PNG or SVG');
});
