/** Of JSON that may say much (rule A10). */
export const JSON_BODY = 1024 * 1024;

/** Of forms, and of calls that hold a name and a secret: nobody has to be signed in to send some of those. */
export const SMALL_BODY = 4096;
