import { segment } from '@svc/catalog';
import type { VideoCaptionsDownloadInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';

/** Downloads a caption track. Plain text is made of SubRip, because the upstream has no format without times. */
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

/** The text of SubRip cues, one cue a line, without numbers, times and markup. */
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
