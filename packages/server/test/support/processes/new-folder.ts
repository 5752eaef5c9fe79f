import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Creates an empty folder that is deleted after the tests of the file, as is all in the temporary folder of a test
 * file.
 */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'svc-test-'));
