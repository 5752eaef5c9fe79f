import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Grants, openGrantFile } from '../src/oauth/grant-file.js';

const GRANTS: Grants = {
  entries: [],
  approvals: [{ grantId: 'g1', clientId: 'c1', personId: 'ada', scopes: [], refreshToken: true, params: {} }],
};

test('a data folder that vanishes costs one warning, and grants are saved once it is back', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-grants-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const file = path.join(folder, 'grants.json');
  const grants = openGrantFile(file);
  grants.add('calendar', () => GRANTS);
  rmSync(folder, { recursive: true });
  grants.save();
  grants.save();
  expect(warn.mock.calls).toEqual([[expect.stringContaining('users must connect their accounts again')]]);
  mkdirSync(folder);
  grants.save();
  expect(openGrantFile(file).read('calendar')).toEqual(GRANTS);
});
