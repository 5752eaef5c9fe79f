import { refuse } from '../refusals.js';

interface Cue {
  /** Start of the cue in milliseconds from the beginning of the video. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Format {
  readonly type: string;
  readonly head: string;
  readonly isNumbered: boolean;
  time(milliseconds: number): string;
  readonly between: string;
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
const clock = (milliseconds: number, hours: string, mark: string): string =>
  `${hours}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1000) % 60)}${mark}${String(milliseconds % 1000).padStart(3, '0')}`;
const hoursOf = (milliseconds: number): number => Math.floor(milliseconds / 3_600_000);

const FORMATS: Readonly<Record<string, Format>> = {
  srt: {
    type: 'application/x-subrip',
    head: '',
    isNumbered: true,
    time: (at) => clock(at, two(hoursOf(at)), ','),
    between: ' --> ',
  },
  vtt: {
    type: 'text/vtt',
    head: 'WEBVTT\n\n',
    isNumbered: false,
    time: (at) => clock(at, two(hoursOf(at)), '.'),
    between: ' --> ',
  },
  sbv: {
    type: 'text/plain',
    head: '',
    isNumbered: false,
    time: (at) => clock(at, String(hoursOf(at)), '.'),
    between: ',',
  },
};

const TIME = /(\d{1,3}):(\d\d):(\d\d)[.,](\d\d\d)/g;

export function convertCaption(text: string, format: string): { file: string; type: string } {
  const wanted = FORMATS[format];
  const cues = readCues(text);
  if (wanted === undefined || cues.length === 0)
    throw refuse(400, 'couldNotConvert', 'The caption track could not be converted into the requested form.');
  const { type, head, isNumbered, time, between } = wanted;
  const blocks = cues.map(({ from, to, text: caption }, index) =>
    [...(isNumbered ? [index + 1] : []), time(from) + between + time(to), caption].join('\n'),
  );
  return { file: `${head}${blocks.join('\n\n')}\n`, type };
}

function readCues(text: string): Cue[] {
  const blocks = text.replaceAll('\r\n', '\n').split(/\n{2,}/);
  return blocks.flatMap((block) => {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => [...line.matchAll(TIME)].length === 2);
    const [from, to] = [...(lines[at] ?? '').matchAll(TIME)].map(millisecondsOf);
    if (from === undefined || to === undefined) return [];
    const textLines = lines.slice(at + 1).filter((line) => line !== '');
    return [{ from, to, text: textLines.join('\n') }];
  });
}

function millisecondsOf([, hours, minutes, seconds, rest]: RegExpExecArray): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest);
}
