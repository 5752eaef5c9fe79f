/** Converts a camelCase name to snake_case: `createEvent` to `create_event`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toLowerCase();
}
