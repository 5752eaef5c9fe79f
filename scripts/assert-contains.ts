import assert from 'node:assert/strict';

/** Throws an error unless the printed text contains all parts in this order. */
export function assertContains(text: string, parts: readonly string[], title = 'what was printed'): void {
  let from = 0;
  for (const part of parts) {
    const index = text.indexOf(part, from);
    assert.ok(index >= 0, `${title} does not contain "${part}":\n${text}`);
    from = index + part.length;
  }
}
