import { isObject } from '../../json.js';
import { nullable, object, type Shape, tagged, text } from './shape.js';

const external = object({ url: text({ min: 1, max: 2000 }) }, ['url']);

export const iconShape: Shape = nullable(tagged({ emoji: text({ min: 1 }), external }));
export const coverShape: Shape = nullable(tagged({ external }));

/** An icon, cover or file as it is answered: with its `type`. */
export function withType(value: unknown): Record<string, unknown> | null {
  if (!isObject(value)) return null;
  const type = ['emoji', 'external', 'file'].find((key) => value[key] !== undefined);
  return type === undefined ? null : { type, [type]: value[type] };
}
