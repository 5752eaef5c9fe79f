/** Of this package; the build writes it. */
declare const VERSION: string;
