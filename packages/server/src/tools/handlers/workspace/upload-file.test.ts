import { expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import type { UpstreamRequest } from '../../handler.js';
import { uploadFile } from './upload-file.js';

test('an upload whose append got no response does not claim that the file was not appended', async () => {
  const requests: UpstreamRequest[] = [];
  const send = async (request: UpstreamRequest) => {
    requests.push(request);
    if (request.method === 'PATCH') throw new ServiceError('upstream_timeout', 'No response in time.');
    return { object: 'file_upload', id: 'upload-1' };
  };
  const file = { filename: 'a.txt', content_type: 'text/plain', text: 'A', page_id: 'page-1' };

  await expect(uploadFile(file, send)).rejects.toMatchObject({
    code: 'upstream_timeout',
    message: expect.stringMatching(/unknown whether the file was appended.*only if it is missing/),
    details: { repeatable: false, progress: { uploadId: 'upload-1' } },
  });
  expect(requests).toHaveLength(3);
});
