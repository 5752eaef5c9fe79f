import { segment } from '@svc/catalog';
import type { VideoCaptionsDownloadInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';

/**
 * Downloads a caption track. Plain text is extracted from SubRip, because the upstream has no text format without
 * timestamps.
 */
export async function downloadCaptions(input: VideoCaptionsDownloadInput, send: Send): Promise<unknown> {
  const { caption_id: id, format, translate_to: tlang } = input;
  const file = await send({
    method: 'GET',
    path: `/youtube/v3/captions/${segment(id, 'caption_id')}`,
    query: { tfmt: format === 'text' ? 'srt' : format, tlang },
    headers: { accept: '*/*' },
    response: 'text',
  });
  const text = String(file ?? '');
  return { id, format, text: format === 'text' ? spokenText(text) : text };
}

const TIMES = /^\d{1,3}:\d\d:\d\d[.,]\d{3} --> /;

/** Extracts the text of SubRip captions, one caption per line, without numbers, timestamps and markup. */
function spokenText(srt: string): string {
  const cues = srt.replaceAll('\r\n', '\n').split('\n\n');
  return cues
    .map(cueText)
    .filter((text) => text !== '')
    .join('\n');
}

function cueText(cue: string): string {
  const lines = cue.split('\n');
  const times = lines.findIndex((line) => TIMES.test(line));
  return lines
    .slice(times + 1)
    .join(' ')
    .replaceAll(/<[^<>]*>/g, '')
    .trim();
}
