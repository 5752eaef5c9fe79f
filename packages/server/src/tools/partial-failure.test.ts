import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { partialFailure } from './partial-failure.js';

test('a partial failure keeps code and details of the failed call and adds the progress', () => {
  const failed = new ServiceError('upstream_failed', 'The upstream responded with 503', { status: 503 });

  const error = partialFailure(failed, '100 of 131 blocks were appended.', { appended: 100, total: 131 });

  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: 'upstream_failed',
    message: '100 of 131 blocks were appended. Cause: The upstream responded with 503',
    details: { status: 503, repeatable: false, progress: { appended: 100, total: 131 } },
    cause: failed,
  });
});

test('a partial failure reports the progress without the text of an internal error', () => {
  const failed = new TypeError('secret of the inside');

  const error = partialFailure(failed, 'The event was created.', { eventId: 'e1' });

  expect(error).toMatchObject({
    code: 'internal_error',
    message: 'The event was created.',
    details: { repeatable: false, progress: { eventId: 'e1' } },
    cause: failed,
  });
});
