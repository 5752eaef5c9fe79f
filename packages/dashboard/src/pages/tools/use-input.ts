import {
  type BrokenRule,
  createCheckInput,
  type JsonObject,
  type JsonSchema,
  pathOf,
} from '@svc/catalog/rules';
import { useCallback, useMemo, useState } from 'preact/hooks';

/** The state of an input form. */
export interface InputState {
  readonly input: JsonObject;
  readonly setInput: (input: JsonObject) => void;
  /** Counts the inputs that replaced the fields' values, so that the fields start again. */
  readonly turn: number;
  readonly fill: (input: JsonObject) => void;
  /** All errors, which keep the input from being sent. */
  readonly broken: readonly BrokenRule[];
  /** The errors to show: missing values are left out before the first attempt to run. */
  readonly told: readonly BrokenRule[];
  readonly onUnreadable: (pointer: string, reason: string | undefined) => void;
  readonly tellAll: () => void;
  /** Shows errors of the service until the input changes. */
  readonly tellFound: (found: readonly BrokenRule[]) => void;
}

const MISSING = ['required', 'exactlyOneOf', 'atLeastOneOf', 'minProperties'];
const isMissing = ({ rule, received }: BrokenRule) => MISSING.includes(rule) || received === 'null';

type Unreadable = Readonly<Record<string, string>>;

function withReason(reasons: Unreadable, pointer: string, reason: string | undefined): Unreadable {
  if (reasons[pointer] === reason) return reasons;
  const { [pointer]: _, ...others } = reasons;
  return reason === undefined ? others : { ...others, [pointer]: reason };
}

const toBroken = (reasons: Unreadable): readonly BrokenRule[] =>
  Object.entries(reasons).map(([pointer, message]) => ({ field: pathOf(pointer), rule: 'json', message }));

export function useInput(schema: JsonSchema): InputState {
  const [input, setInput] = useState<JsonObject>({});
  const [turn, setTurn] = useState(0);
  const [isTold, setTold] = useState(false);
  const [unreadable, setUnreadable] = useState<Unreadable>({});
  const [found, setFound] = useState<readonly BrokenRule[]>([]);
  const check = useMemo(() => createCheckInput(schema, () => new Date()), [schema]);
  const broken = useMemo(() => [...toBroken(unreadable), ...check(input)], [check, input, unreadable]);
  const told = useMemo(
    () => [...found, ...broken.filter((rule) => isTold || !isMissing(rule))],
    [found, broken, isTold],
  );
  return {
    input,
    setInput: (next) => {
      setFound([]);
      setInput(next);
    },
    turn,
    fill: (next) => {
      setFound([]);
      setTold(false);
      setUnreadable({});
      setInput(next);
      setTurn(turn + 1);
    },
    broken,
    told,
    onUnreadable: useCallback(
      (pointer, reason) => setUnreadable((reasons) => withReason(reasons, pointer, reason)),
      [],
    ),
    tellAll: () => setTold(true),
    tellFound: setFound,
  };
}
