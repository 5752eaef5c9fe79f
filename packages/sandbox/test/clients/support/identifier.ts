/** Whose accounts the batteries use. */
export const IDENTIFIER = 'user_42';
