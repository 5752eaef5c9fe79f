import { beforeEach, inject } from 'vitest';

beforeEach(({ skip }) => {
  skip(inject('stage') === undefined, 'Chromium not found');
});
