import { invalidRequest } from './api-error.js';

const FORBIDDEN = /[/\\*<>?:|;]/;

export function readNames(path: string): readonly string[] {
  return path.split('/').map(readName);
}

export function readName(segment: string): string {
  const name = decode(segment);
  if (name === '') throw invalidRequest('The path contains an empty segment.');
  if (FORBIDDEN.test(name) || name.startsWith('~') || name.trim() !== name)
    throw invalidRequest(`The name "${name}" is not allowed.`, 'nameContainsInvalidCharacters');
  return name;
}

/** Parses a folder name. Folder names must not end with a dot; other rules are those of `readName`. */
export function readFolderName(segment: string): string {
  const name = readName(segment);
  if (name.endsWith('.'))
    throw invalidRequest(`The name "${name}" is not allowed.`, 'nameContainsInvalidCharacters');
  return name;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidRequest('The path is not percent-encoded UTF-8.');
  }
}

export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns the first free name with a number, such as `report 1.docx` or `report 2.docx`. */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = dot > 0 ? name.slice(dot) : '';
  for (let number = 1; ; number += 1) {
    const candidate = `${stem} ${number}${extension}`;
    if (!isTaken(candidate)) return candidate;
  }
}
