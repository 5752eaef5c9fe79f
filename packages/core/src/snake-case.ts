/** Spells a name of ours as tools and the environment do: `createEvent` is `create_event`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, '_$&').toLowerCase();
