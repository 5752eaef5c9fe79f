import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('ky');
  vi.resetModules();
});

function watchKy() {
  const loaded = vi.fn();
  vi.doMock('ky', () => {
    loaded();
    return { default: { extend: () => 'ky' } };
  });
  return loaded;
}

test('loads ky with the first call on Node', async () => {
  const loaded = watchKy();
  await import('./index.js');
  expect(loaded).not.toHaveBeenCalled();
  const { loadKy } = await import('./load-ky.node.js');
  expect(await loadKy()).toBe('ky');
  expect(loaded).toHaveBeenCalledOnce();
});

test('loads ky immediately on other platforms', async () => {
  const loaded = watchKy();
  const { loadKy } = await import('./load-ky.js');
  expect(loaded).toHaveBeenCalledOnce();
  expect((await loadKy()).extend({})).toBe('ky');
});
