import { describe, expect, test, vi } from 'vitest';
import { noMcp } from '../../upstream-access.js';
import { convintel } from './convintel.js';

const context = {
  now: () => new Date('2026-11-20T12:00:00Z'),
  randomId: () => 'id-1',
  sleep: async () => undefined,
  mcp: noMcp,
  download: () => expect.unreachable('The tool downloads nothing.'),
  exchange: () => expect.unreachable('The tool reads no headers.'),
  readLink: () => expect.unreachable('The tool opens no link.'),
  takeMemory: () => undefined,
};
describe('convintel_activity_upload', () => {
  const fields = { hostUserEmail: 'ada@example.com', language: 'en_GB', title: 'Call' };

  test('sends nothing without a recording and explains how to give one', async () => {
    const send = vi.fn();
    const upload = convintel.convintel_activity_upload(fields, send, context);
    await expect(upload).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/recordingUrl.*proxy.*POST \/uploadActivity.*multipart\/form-data/),
      details: { errors: [{ field: 'recordingUrl', rule: 'required' }] },
    });
    expect(send).not.toHaveBeenCalled();
  });

  test('fails when the response contains no activity id', async () => {
    const input = { ...fields, recordingUrl: 'https://files.example.com/a.mp3' };
    const upload = convintel.convintel_activity_upload(input, async () => ({}), context);
    await expect(upload).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});
