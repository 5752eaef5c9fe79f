/** The version of this package. The build defines it. */
declare const VERSION: string;
