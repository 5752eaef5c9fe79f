import type { BrokenRule, JsonSchema } from '@svc/catalog/rules';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** State of the form that every field needs. */
export interface FormScope {
  /** The schema that contains the targets of references. */
  readonly root: JsonSchema;
  /** The errors to show now. */
  readonly broken: readonly BrokenRule[];
  /** Reports a text that is not valid JSON; `undefined` when it is valid again. */
  readonly onUnreadable: (pointer: string, reason: string | undefined) => void;
}

export const FormContext = createContext<FormScope>({ root: {}, broken: [], onUnreadable: () => undefined });

export const useForm = (): FormScope => useContext(FormContext);

const sentences = (broken: readonly BrokenRule[]): string | undefined =>
  broken.length === 0 ? undefined : broken.map(({ message }) => `${message}.`).join(' ');

/** The errors of the value at a path itself. */
export const wrongAt = (broken: readonly BrokenRule[], path: string): string | undefined =>
  sentences(broken.filter(({ field }) => field === path));

/** The errors of the value at a path, including everything in it. */
export const wrongIn = (broken: readonly BrokenRule[], path: string): string | undefined =>
  sentences(broken.filter(({ field }) => path === '' || isIn(field, path)));

const isIn = (field: string, path: string) =>
  field === path || (field.startsWith(path) && /^[.[]/.test(field.slice(path.length)));
