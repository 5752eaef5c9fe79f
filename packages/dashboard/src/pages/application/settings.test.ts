import { expect, test } from 'vitest';
import { MOST_LOGO_BYTES, readLogo } from './settings.tsx';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const picture = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });

test('a picture becomes a data URL of the same bytes', async () => {
  const dataUrl = await readLogo(new Blob([SVG], { type: 'image/svg+xml' }));
  expect(dataUrl).toMatch(/^data:image\/svg\+xml;base64,/);
  expect(await (await fetch(dataUrl)).text()).toBe(SVG);
});

test('a picture of the most bytes fits, and one of more is refused with its size', async () => {
  const most = Math.floor((MOST_LOGO_BYTES - 'data:image/png;base64,'.length) / 4) * 3;
  expect((await readLogo(picture(most))).length).toBeLessThanOrEqual(MOST_LOGO_BYTES);
  await expect(readLogo(picture(most + 3))).rejects.toThrow('33 KiB');
});

test('another kind of file is refused in words', async () => {
  await expect(readLogo(new Blob(['x'], { type: 'image/gif' }))).rejects.toThrow('a PNG or an SVG');
});
