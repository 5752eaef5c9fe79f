import { beforeEach, inject } from 'vitest';

beforeEach(({ skip }) => {
  skip(inject('stage') === undefined, 'There is no Chromium');
});
