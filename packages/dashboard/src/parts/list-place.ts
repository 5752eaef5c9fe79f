import { useState } from 'preact/hooks';

interface ListPlace {
  /** What is listed and how it is filtered. */
  readonly of: string;
  /** By which the pages so far were asked for, the present one last; none for the first page. */
  readonly tokens: readonly string[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string';

const stateNow = (): Readonly<Record<string, unknown>> => (isRecord(history.state) ? history.state : {});

function readPlace(list: string, of: string): ListPlace {
  const kept = stateNow()[list];
  const tokens = isRecord(kept) && kept['of'] === of ? kept['tokens'] : [];
  return { of, tokens: Array.isArray(tokens) ? tokens.filter(isText) : [] };
}

/** How far one has turned the pages of a list. The browser's history has it, so that Back and a reload lead there again. */
export function useListPlace(list: string, of: string) {
  const [place, setPlace] = useState(() => readPlace(list, of));
  const moveTo = (tokens: readonly string[]) => {
    history.replaceState({ ...stateNow(), [list]: { of, tokens } }, '');
    setPlace({ of, tokens });
  };
  return { tokens: place.of === of ? place.tokens : [], moveTo };
}
